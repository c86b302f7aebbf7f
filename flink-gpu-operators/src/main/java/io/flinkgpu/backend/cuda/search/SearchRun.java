package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.sets.SearchGauge;
import io.flinkgpu.sets.SearchGauges;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A batch of queries under way. Most are found in one pass. Queries that had too many candidates in it are
 * searched for again: with what their best documents have to reach by now, which nearly always leaves few,
 * then in some tiles at a time, and then tile by tile. Those for more than {@link SearchAbi#SEARCH_MOST_K} documents are selected on the
 * host, when the batch is finished.
 */
final class SearchRun implements AutoCloseable {

    /** The last one of which always has room. */
    private static final int PASSES = 4;

    /** Of the last but one: few tiles have many documents that are equally alike. */
    private static final int SOME_TILES = 16;

    private final SearchQueue queue;
    private final DeviceCorpus corpus;
    private final SearchShape shape;
    private final Similarity similarity;
    private final CloseStack resources = new CloseStack();
    private final HostBuffer inputs;

    /** Of the passes one after the other. */
    private final List<HostBuffer> results = new ArrayList<>();

    private final HostBuffer candidates;
    private final ArrowBuf args;

    private SearchInput input;
    private int[] large;

    /** Null if there is nothing to find in one. */
    private SearchPass pass;

    private FoundDocuments found;

    SearchRun(
            SearchQueue queue,
            DeviceCorpus corpus,
            SearchShape shape,
            Similarity similarity,
            BufferAllocator allocator) {
        this.queue = queue;
        this.corpus = corpus;
        this.shape = shape;
        this.similarity = similarity;
        args = resources.push(allocator.buffer(SearchAbi.SEARCH_ARGS_BYTES));
        inputs = resources.push(new HostBuffer(allocator));
        for (int i = 0; i < PASSES; i++) {
            results.add(resources.push(new HostBuffer(allocator)));
        }
        candidates = resources.push(new HostBuffer(allocator));
    }

    /** Enqueues all that does not wait. */
    void start(SearchInput queries) throws BackendException {
        input = queries;
        pass = null;
        large = new int[0];
        corpus.ready();
        if (corpus.documents() == 0) {
            return;
        }
        int[] sorted = sortedBySize();
        boolean allFit = corpus.documents() <= SearchAbi.SEARCH_MOST_K;
        int[] usual = new int[sorted.length];
        int usualCount = 0;
        large = new int[sorted.length];
        int largeCount = 0;
        for (int row : sorted) {
            if (allFit || input.k(row) <= SearchAbi.SEARCH_MOST_K) {
                usual[usualCount++] = row;
            } else {
                large[largeCount++] = row;
            }
        }
        usual = Arrays.copyOf(usual, usualCount);
        large = Arrays.copyOf(large, largeCount);
        if (usual.length > 0) {
            pass = pass(usual, true);
            pass.start(inputs, results.get(0));
        }
        count(sorted.length);
    }

    private void count(int queries) {
        SearchGauges gauges = corpus.gauges();
        if (corpus.narrowTiles() > 0) {
            int inverted = pass == null ? 0 : pass.invertedQueries();
            gauges.add(SearchGauge.SCANNED_QUERIES, queries - inverted);
            gauges.add(SearchGauge.INDEXED_QUERIES, inverted);
        }
        if (corpus.allTiles() > corpus.narrowTiles()) {
            gauges.add(SearchGauge.WIDE_QUERIES, queries);
        }
        gauges.add(SearchGauge.HOST_SELECTED_QUERIES, large.length);
    }

    private int[] sortedBySize() {
        long[] order = new long[input.rows()];
        for (int row = 0; row < order.length; row++) {
            order[row] = (long) input.size(row) << Integer.SIZE | row;
        }
        Arrays.sort(order);
        int[] rows = new int[order.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (int) order[i];
        }
        return rows;
    }

    private SearchPass pass(int[] rows, boolean hasResults) {
        return new SearchPass(
                queue, corpus, shape, similarity, args.memoryAddress(), input, rows, hasResults);
    }

    /** Reads what is there before the last of it, which is waited for. Comes before {@link #finish}. */
    void readEarlier() throws BackendException {
        int[] room = new int[input.rows()];
        for (int slot = 0; pass != null && slot < pass.slots(); slot++) {
            if (pass.row(slot) != SearchRound.NO_ROW) {
                room[pass.row(slot)] = pass.k(pass.row(slot));
            }
        }
        found = new FoundDocuments(room);
        for (int round = 0; pass != null && round < pass.rounds() - 1; round++) {
            queue.await(round);
            pass.read(round, results.get(0), found);
        }
    }

    /** The result, when all that was enqueued is done; waits for what is left to do. */
    SearchedBatch finish(long deviceNanos) throws BackendException {
        if (pass != null) {
            pass.read(pass.rounds() - 1, results.get(0), found);
            finishPasses();
        }
        selectOnHost();
        SearchedBatch batch = found.batch(deviceNanos);
        found = null;
        return batch;
    }

    private void finishPasses() throws BackendException {
        SearchPass last = pass;
        for (int number = 0; last != null; number++) {
            corpus.gauges().add(SearchGauge.CANDIDATES, last.candidates(results.get(number)));
            last = number < PASSES - 1 ? searchAgain(last, number + 1) : null;
        }
    }

    /** Null if there were not too many candidates. */
    private SearchPass searchAgain(SearchPass before, int number) throws BackendException {
        HostBuffer copied = results.get(number - 1);
        int[] overflowed =
                IntStream.range(0, before.slots())
                        .filter(slot -> before.overflowed(slot, copied))
                        .toArray();
        if (overflowed.length == 0) {
            return null;
        }
        if (number == 1) {
            corpus.gauges().add(SearchGauge.OVERFLOWED_QUERIES, overflowed.length);
        }
        // Changes may have been applied meanwhile, and are not to be seen half.
        corpus.awaitReady();
        SearchPass again = pass(Arrays.stream(overflowed).map(before::row).toArray(), true);
        int[] minKeys = new int[input.rows()];
        for (int slot : overflowed) {
            minKeys[before.row(slot)] = before.minKey(slot, copied);
        }
        again.startAgain(inputs, results.get(number), minKeys, tilesAtOnce(number));
        queue.await();
        for (int round = 0; round < again.rounds(); round++) {
            again.read(round, results.get(number), found);
        }
        return again;
    }

    private static int tilesAtOnce(int number) {
        return number == PASSES - 1 ? 1 : number == PASSES - 2 ? SOME_TILES : SearchPass.ALL_TILES;
    }

    private void selectOnHost() throws BackendException {
        int atOnce = Byte.SIZE;
        if (large.length > 0) {
            corpus.awaitReady();
        }
        for (int from = 0; from < large.length; from += atOnce) {
            int[] rows = Arrays.copyOfRange(large, from, Math.min(large.length, from + atOnce));
            List<LargeSelection> selections = pass(rows, false).selectOnHost(inputs, candidates);
            for (int slot = 0; slot < rows.length; slot++) {
                add(rows[slot], selections.get(slot).best());
            }
        }
    }

    private void add(int row, List<LargeSelection.Hit> hits) {
        long[] ids = new long[hits.size()];
        int[] pairs = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            LargeSelection.Hit hit = hits.get(i);
            ids[i] = hit.id();
            int common = LargeSelection.common(hit, similarity, input.size(row));
            pairs[i] = SetMatches.pair(common, hit.size());
        }
        found.put(row, ids, pairs);
    }

    @Override
    public void close() {
        resources.close();
    }
}
