package io.flinkgpu.backend.cuda.search;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A batch of queries under way. Most are found in one pass. Queries that had too many candidates in it are
 * searched for again: with what their best documents have to reach by now, which nearly always leaves few,
 * and then tile by tile. Those for more than {@link SearchAbi#SEARCH_MOST_K} documents are selected on the
 * host, when the batch is finished.
 */
final class SearchRun implements AutoCloseable {

    /** The last one of which always has room. */
    private static final int PASSES = 3;

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

    /** Waits for the batch, and for what is left to do. */
    SearchedBatch finish(long deviceNanos) throws BackendException {
        int[] counts = new int[input.rows()];
        List<SearchPass> passes = finishPasses();
        for (int i = 0; i < passes.size(); i++) {
            count(passes.get(i), results.get(i), counts);
        }
        Map<Integer, List<LargeSelection.Hit>> selected = selectOnHost();
        selected.forEach((row, hits) -> counts[row] = hits.size());
        int[] starts = new int[counts.length + 1];
        for (int row = 0; row < counts.length; row++) {
            starts[row + 1] = starts[row] + counts[row];
        }
        int all = starts[counts.length];
        long[] ids = new long[all];
        int[] common = new int[all];
        int[] sizes = new int[all];
        for (int i = 0; i < passes.size(); i++) {
            copy(passes.get(i), results.get(i), starts, ids, common, sizes);
        }
        selected.forEach((row, hits) -> copy(row, hits, starts[row], ids, common, sizes));
        return new SearchedBatch(starts, ids, common, sizes, deviceNanos);
    }

    /** Searches again for queries that had too many candidates. Returns all passes. */
    private List<SearchPass> finishPasses() throws BackendException {
        List<SearchPass> passes = new ArrayList<>();
        SearchPass last = pass;
        while (last != null) {
            HostBuffer found = results.get(passes.size());
            last.checkNumber(found);
            corpus.gauges().add(SearchGauge.CANDIDATES, last.candidates(found));
            passes.add(last);
            last = passes.size() < PASSES ? searchAgain(last, found, passes.size()) : null;
        }
        return passes;
    }

    /** Null if there were not too many candidates. */
    private SearchPass searchAgain(SearchPass before, HostBuffer found, int number)
            throws BackendException {
        int[] overflowed =
                IntStream.range(0, before.slots())
                        .filter(slot -> before.overflowed(slot, found))
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
        int[] minKeys = Arrays.stream(overflowed).map(slot -> before.minKey(slot, found)).toArray();
        again.startAgain(inputs, results.get(number), minKeys, number == PASSES - 1);
        queue.await();
        return again;
    }

    private static void count(SearchPass from, HostBuffer found, int[] counts)
            throws BackendException {
        for (int slot = 0; slot < from.slots(); slot++) {
            if (from.row(slot) != SearchRound.NO_ROW) {
                counts[from.row(slot)] = from.found(slot, found);
            }
        }
    }

    /** What a later pass finds takes the place of what an earlier one has found, and has as much room. */
    private static void copy(
            SearchPass from,
            HostBuffer found,
            int[] starts,
            long[] ids,
            int[] common,
            int[] sizes) {
        for (int slot = 0; slot < from.slots(); slot++) {
            int row = from.row(slot);
            if (row != SearchRound.NO_ROW) {
                int count = starts[row + 1] - starts[row];
                from.copy(slot, count, found, ids, common, sizes, starts[row]);
            }
        }
    }

    private void copy(
            int row,
            List<LargeSelection.Hit> hits,
            int start,
            long[] ids,
            int[] common,
            int[] sizes) {
        for (int i = 0; i < hits.size(); i++) {
            LargeSelection.Hit hit = hits.get(i);
            ids[start + i] = hit.id();
            common[start + i] = LargeSelection.common(hit, similarity, input.size(row));
            sizes[start + i] = hit.size();
        }
    }

    private Map<Integer, List<LargeSelection.Hit>> selectOnHost() throws BackendException {
        Map<Integer, List<LargeSelection.Hit>> selected = new HashMap<>();
        int atOnce = Byte.SIZE;
        if (large.length > 0) {
            corpus.awaitReady();
        }
        for (int from = 0; from < large.length; from += atOnce) {
            int[] rows = Arrays.copyOfRange(large, from, Math.min(large.length, from + atOnce));
            List<LargeSelection> selections = pass(rows, false).selectOnHost(inputs, candidates);
            for (int slot = 0; slot < rows.length; slot++) {
                selected.put(rows[slot], selections.get(slot).best());
            }
        }
        return selected;
    }

    @Override
    public void close() {
        resources.close();
    }
}
