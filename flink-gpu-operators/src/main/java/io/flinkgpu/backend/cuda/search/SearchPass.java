package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.SearchGauge;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Searches for some queries of a batch, a round after the other: enqueues the copy of a round's queries and
 * all launches, and waits for nothing.
 */
final class SearchPass {

    private final SearchQueue queue;
    private final DeviceCorpus corpus;
    private final SearchShape shape;
    private final Similarity similarity;
    private final SearchArgs args;
    private final SearchInput input;
    private final int[] sorted;
    private final int groupQueries;
    private final long documents;
    private final SearchLayout layout;
    private final int roundSlots;
    private final int slots;
    private final int results;

    /** By slot: the row of the batch, or {@link SearchRound#NO_ROW}. */
    private final int[] rows;

    private final int[] resultStarts;

    private long work;
    private int nextResult;
    private int invertedQueries;

    /**
     * @param args host address of the parameter of launches
     * @param sorted rows of queries, by size; at least one
     * @param hasResults whether what was found is written to results, for each query at most {@link
     *     SearchAbi#SEARCH_MOST_K}
     */
    SearchPass(
            SearchQueue queue,
            DeviceCorpus corpus,
            SearchShape shape,
            Similarity similarity,
            long args,
            SearchInput input,
            int[] sorted,
            boolean hasResults) {
        this.queue = queue;
        this.corpus = corpus;
        this.shape = shape;
        this.similarity = similarity;
        this.args = new SearchArgs(args);
        this.input = input;
        this.sorted = sorted;
        documents = corpus.documents();
        groupQueries = shape.groupQueries(corpus.books().numbers().count());
        slots = (sorted.length + groupQueries - 1) / groupQueries * groupQueries;
        roundSlots = Math.min(slots, shape.roundQueries());
        rows = new int[slots];
        resultStarts = new int[slots];
        results = hasResults ? countResults() : 0;
        layout =
                new SearchLayout(
                        slots,
                        results,
                        roundSlots,
                        roundSlots / groupQueries,
                        mostElements(roundSlots),
                        corpus.allTiles() > corpus.narrowTiles() ? mostElements(groupQueries) : 0);
    }

    private int countResults() {
        int count = slots - sorted.length;
        for (int row : sorted) {
            count += k(row);
        }
        return count;
    }

    /** How many documents a query can find at most. */
    private int k(int row) {
        return (int) Math.min(input.k(row), documents);
    }

    /** Of all runs of so many queries, the most elements that they have. */
    private int mostElements(int queries) {
        int most = 1;
        for (int from = 0; from < sorted.length; from += queries) {
            int sum = 0;
            for (int i = from; i < Math.min(sorted.length, from + queries); i++) {
                sum += input.size(sorted[i]);
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    /** How many queries there is room for. */
    int slots() {
        return slots;
    }

    int row(int slot) {
        return rows[slot];
    }

    /** Enqueues all of it, up to the copy of the results to the host. */
    void start(HostBuffer inputs, HostBuffer found) throws BackendException {
        begin(inputs);
        SearchLaunches launches = new SearchLaunches(queue, corpus, shape, args);
        List<SearchLevel> levels = SearchLevel.of(documents, shape.sampleDocuments());
        for (int first = 0; first < slots; first += roundSlots) {
            launches.begin(copyRound(first, inputs, true), layout, work);
            launches.search(levels);
        }
        copyResults(found);
    }

    /**
     * The same for queries that have been searched for.
     *
     * @param minKeys what the keys of their best documents are at least, in the order of their rows
     * @param isTileByTile whether candidates are those of a tile at a time, and so there is always room
     */
    void startAgain(HostBuffer inputs, HostBuffer found, int[] minKeys, boolean isTileByTile)
            throws BackendException {
        begin(inputs);
        copyMinKeys(minKeys, found);
        SearchLaunches launches = new SearchLaunches(queue, corpus, shape, args);
        for (int first = 0; first < slots; first += roundSlots) {
            launches.begin(copyRound(first, inputs, false), layout, work);
            if (isTileByTile) {
                launches.searchTileByTile();
            } else {
                launches.search(List.of(SearchLevel.ALL));
            }
        }
        copyResults(found);
    }

    /** By way of the host memory that results come to later. */
    private void copyMinKeys(int[] minKeys, HostBuffer by) throws BackendException {
        by.reserve(layout.resultBytes);
        long stateBytes = (long) SearchAbi.SEARCH_STATE_BYTES * slots;
        MemoryUtil.setMemory(by.address(), stateBytes, (byte) 0);
        for (int slot = 0; slot < minKeys.length; slot++) {
            long state = by.address() + (long) SearchAbi.SEARCH_STATE_BYTES * slot;
            MemoryUtil.putInt(state + SearchAbi.SEARCH_STATE_MIN_KEY, minKeys[slot]);
        }
        queue.copyToDevice(work, by.address(), stateBytes);
    }

    private void copyResults(HostBuffer found) throws BackendException {
        found.reserve(layout.resultBytes);
        queue.markNumber(work + layout.number);
        queue.copyToHost(found.address(), work, layout.resultBytes);
    }

    /** Makes room; there are no states yet. */
    private void begin(HostBuffer inputs) throws BackendException {
        work = queue.workspace(layout.end);
        inputs.reserve((slots + roundSlots - 1) / roundSlots * layout.inputBytes);
        queue.zero(work, (long) SearchAbi.SEARCH_STATE_BYTES * slots);
    }

    private SearchRound copyRound(int first, HostBuffer inputs, boolean mayInvert)
            throws BackendException {
        int end = Math.min(sorted.length, first + roundSlots);
        SearchRound round = new SearchRound(Arrays.copyOfRange(sorted, first, end), groupQueries);
        round.number(input, corpus.books());
        if (mayInvert && shape.canInvert() && corpus.narrowTiles() > corpus.openTiles()) {
            round.choose(corpus, shape.costs().get());
            invertedQueries += round.invertedQueries();
        }
        System.arraycopy(round.rows, 0, rows, first, round.slots());
        long host = inputs.address() + first / roundSlots * layout.inputBytes;
        inputs.put(
                host + layout.codes - layout.queries - inputs.address(),
                round.codes,
                round.codeCount);
        write(round, first, host);
        queue.copyToDevice(work + layout.queries, host, layout.inputBytes);
        args.round(
                round,
                layout,
                work,
                work + (long) SearchAbi.SEARCH_STATE_BYTES * first,
                corpus,
                similarity);
        return round;
    }

    private void write(SearchRound round, int first, long host) {
        int elements = 0;
        for (int slot = 0; slot < round.slots(); slot++) {
            long to = host + (long) SearchAbi.SEARCH_QUERY_BYTES * slot;
            int row = round.rows[slot];
            resultStarts[first + slot] = nextResult;
            if (row == SearchRound.NO_ROW) {
                SearchInput.writeNone(to, nextResult++);
                continue;
            }
            int k = k(row);
            input.write(to, row, k, nextResult);
            nextResult += k;
            MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_CODES_START, round.codeStarts[slot]);
            MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_CODES_COUNT, round.codeCounts[slot]);
            MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_ELEMENTS_START, elements);
            if (layout.tableLog > 0) {
                elements = writeElements(row, host + layout.elements - layout.queries, elements);
            }
        }
    }

    private int writeElements(int row, long to, int start) {
        int size = input.size(row);
        for (int i = 0; i < size; i++) {
            MemoryUtil.putInt(to + 4L * (start + i), input.element(row, i));
        }
        return start + size;
    }

    /** Whether the candidates of a slot's query were too many, so that what was found is not right. */
    boolean overflowed(int slot, HostBuffer found) {
        return state(found, slot, SearchAbi.SEARCH_STATE_OVERFLOWED) != 0;
    }

    /** How many queries count by inverted indexes. */
    int invertedQueries() {
        return invertedQueries;
    }

    /** How many candidates all queries had. */
    long candidates(HostBuffer found) {
        long candidates = 0;
        for (int slot = 0; slot < slots; slot++) {
            long state = found.address() + (long) SearchAbi.SEARCH_STATE_BYTES * slot;
            candidates +=
                    MemoryUtil.getLong(state + SearchAbi.SEARCH_STATE_DROPPED)
                            + state(found, slot, SearchAbi.SEARCH_STATE_FOUND);
        }
        return candidates;
    }

    /** What the key of a slot's best documents is at least. */
    int minKey(int slot, HostBuffer found) {
        return state(found, slot, SearchAbi.SEARCH_STATE_MIN_KEY);
    }

    /** Checks that it was this pass whose results were copied. */
    void checkNumber(HostBuffer found) throws BackendException {
        queue.requireNumber(found.address() + layout.number);
    }

    /** How many documents were found for a slot's query. */
    int found(int slot, HostBuffer found) throws BackendException {
        int count = state(found, slot, SearchAbi.SEARCH_STATE_FOUND);
        int most = rows[slot] == SearchRound.NO_ROW ? 0 : k(rows[slot]);
        ResultCheck.requireBetween("the documents of a query", 0, most, count);
        return count;
    }

    private static int state(HostBuffer found, int slot, int field) {
        return MemoryUtil.getInt(
                found.address() + (long) SearchAbi.SEARCH_STATE_BYTES * slot + field);
    }

    /** Copies what was found for a slot's query. */
    void copy(
            int slot, int count, HostBuffer found, long[] ids, int[] common, int[] sizes, int to) {
        found.get(layout.ids + (long) Long.BYTES * resultStarts[slot], ids, to, count);
        found.get(layout.counts + (long) Integer.BYTES * resultStarts[slot], common, to, count);
        for (int i = to; i < to + count; i++) {
            sizes[i] = common[i] >>> Character.SIZE;
            common[i] &= Character.MAX_VALUE;
        }
    }

    /**
     * Searches for queries that want more documents than the device sorts, a group of them, and waits: the
     * candidates of each tile are copied to the host.
     *
     * @return by slot
     */
    List<LargeSelection> selectOnHost(HostBuffer inputs, HostBuffer copies)
            throws BackendException {
        begin(inputs);
        SearchRound round = copyRound(0, inputs, false);
        SearchLaunches launches = new SearchLaunches(queue, corpus, shape, args);
        launches.begin(round, layout, work);
        launches.hash();
        List<LargeSelection> selections = new ArrayList<>();
        for (int row : round.rows) {
            selections.add(new LargeSelection(row == SearchRound.NO_ROW ? 1 : k(row)));
        }
        long stateBytes = (long) SearchAbi.SEARCH_STATE_BYTES * slots;
        copies.reserve(stateBytes + (long) Long.BYTES * SearchAbi.SEARCH_CANDIDATES);
        long candidates = copies.address() + stateBytes;
        for (int tile = 0; tile < corpus.allTiles(); tile++) {
            MemoryUtil.setMemory(copies.address(), stateBytes, (byte) 0);
            for (int slot = 0; slot < slots; slot++) {
                long state = copies.address() + (long) SearchAbi.SEARCH_STATE_BYTES * slot;
                MemoryUtil.putInt(
                        state + SearchAbi.SEARCH_STATE_MIN_KEY, selections.get(slot).minKey());
            }
            queue.copyToDevice(work, copies.address(), stateBytes);
            launches.scanTile(tile);
            queue.copyToHost(copies.address(), work, stateBytes);
            queue.await();
            for (int slot = 0; slot < slots; slot++) {
                int count = state(copies, slot, SearchAbi.SEARCH_STATE_CANDIDATES);
                ResultCheck.requireBetween(
                        "the candidates of a query", 0, corpus.tile(tile).documents(), count);
                corpus.gauges().add(SearchGauge.CANDIDATES, count);
                long from =
                        work
                                + layout.candidates
                                + (long) Long.BYTES * SearchAbi.SEARCH_CANDIDATES * slot;
                queue.copyToHost(candidates, from, (long) Long.BYTES * count);
                queue.await();
                add(candidates, count, tile, selections.get(slot));
            }
        }
        return selections;
    }

    private void add(long candidates, int count, int tile, LargeSelection to)
            throws BackendException {
        Documents source = corpus.tile(tile).source();
        for (int i = 0; i < count; i++) {
            long candidate = MemoryUtil.getLong(candidates + (long) Long.BYTES * i);
            int slot = (int) candidate & 0xffff;
            ResultCheck.requireBetween("the place of a document", 0, source.documents() - 1, slot);
            to.add((int) (candidate >>> Integer.SIZE), source.ids()[slot], source.size(slot));
        }
    }
}
