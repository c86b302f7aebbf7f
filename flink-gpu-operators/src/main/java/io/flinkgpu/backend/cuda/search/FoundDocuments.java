package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.plan.SearchedBatch;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/** What was found for the queries of a batch, by row, each of which has room for all that it may get. */
final class FoundDocuments {

    private final int[] starts;
    private final int[] room;
    private final int[] counts;
    private long[] ids;
    private int[] pairs;
    private int used;

    /**
     * @param room of each row; kept
     */
    FoundDocuments(int[] room) {
        this.room = room;
        starts = new int[room.length];
        counts = new int[room.length];
        for (int row = 0; row < room.length; row++) {
            starts[row] = used;
            used = Math.addExact(used, room[row]);
        }
        ids = new long[used];
        pairs = new int[used];
    }

    int room(int row) {
        return room[row];
    }

    /**
     * What was found for a row, in place of what was found before.
     *
     * @param from where the row's first document is in both
     * @param pairsFrom as {@link SearchedBatch#pair} gives them
     */
    void put(int row, int count, LongBuffer idsFrom, IntBuffer pairsFrom, int from) {
        counts[row] = count;
        idsFrom.get(from, ids, starts[row], count);
        pairsFrom.get(from, pairs, starts[row], count);
    }

    /** Makes a row's room larger; what it had is lost. */
    void grow(int row, int newRoom) {
        starts[row] = used;
        room[row] = newRoom;
        counts[row] = 0;
        used = Math.addExact(used, newRoom);
        ids = Arrays.copyOf(ids, used);
        pairs = Arrays.copyOf(pairs, used);
    }

    /** One more document of a row. */
    void add(int row, long id, int common, int size) {
        int at = starts[row] + counts[row]++;
        ids[at] = id;
        pairs[at] = SearchedBatch.pair(common, size);
    }

    /** All of it, to which nothing is to come any more. */
    SearchedBatch batch(long deviceNanos) {
        return new SearchedBatch(starts, counts, ids, pairs, deviceNanos);
    }
}
