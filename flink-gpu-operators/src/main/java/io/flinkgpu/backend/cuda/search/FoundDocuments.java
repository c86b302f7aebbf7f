package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.backend.plan.SearchedBatch;

import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** What was found for the queries of a batch, by row, each of which has room for all that it may get. */
final class FoundDocuments {

    private final int[] room;
    private final long[][] ids;

    /** As {@link SetMatches#pair} gives them. */
    private final int[][] pairs;

    /**
     * @param room of each row; kept
     */
    FoundDocuments(int[] room) {
        this.room = room;
        ids = new long[room.length][];
        pairs = new int[room.length][];
        for (int row = 0; row < room.length; row++) {
            resize(row, room[row]);
        }
    }

    private void resize(int row, int count) {
        ids[row] = new long[count];
        pairs[row] = new int[count];
    }

    int room(int row) {
        return room[row];
    }

    /**
     * What was found for a row, in place of what was found before.
     *
     * @param from where the row's first document is in both
     */
    void put(int row, int count, LongBuffer idsFrom, IntBuffer pairsFrom, int from) {
        if (count != ids[row].length) {
            resize(row, count);
        }
        idsFrom.get(from, ids[row]);
        pairsFrom.get(from, pairs[row]);
    }

    /** The same with arrays that are kept. */
    void put(int row, long[] foundIds, int[] foundPairs) {
        ids[row] = foundIds;
        pairs[row] = foundPairs;
    }

    /** All of it, to which nothing is to come any more. */
    SearchedBatch batch(long deviceNanos) {
        return new SearchedBatch(ids, pairs, deviceNanos);
    }
}
