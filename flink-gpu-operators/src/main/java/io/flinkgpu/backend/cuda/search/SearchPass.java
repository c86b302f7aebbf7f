package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.sets.Documents;
import io.flinkgpu.sets.SearchGauge;

import org.apache.arrow.memory.util.MemoryUtil;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Searches for some queries of a batch, a round after the other: enqueues the copy of a round's queries and
 * all launches, and waits for nothing.
 */
final class SearchPass {

    /** However many there are. */
    static final int ALL_TILES = Integer.MAX_VALUE;

    private static final int[] NO_KEYS = {};

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
    private final int number;

    /** By slot: the row of the batch, or {@link SearchRound#NO_ROW}. */
    private final int[] rows;

    /** By slot: where its documents start in those of its round. */
    private final int[] resultStarts;

    private long work;
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
        number = queue.nextBatch();
        layout =
                new SearchLayout(
                        roundSlots,
                        roundSlots / groupQueries,
                        hasResults ? mostResults() : 0,
                        mostElements(roundSlots),
                        corpus.allTiles() > corpus.narrowTiles() ? mostElements(groupQueries) : 0);
    }

    /** Of all rounds, the most documents that their queries can find. */
    private long mostResults() {
        long most = 0;
        for (int from = 0; from < slots; from += roundSlots) {
            int end = Math.min(sorted.length, from + roundSlots);
            long sum = Math.min(slots, from + roundSlots) - end;
            for (int i = from; i < end; i++) {
                sum += k(sorted[i]);
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    /** How many documents a query can find at most. */
    int k(int row) {
        return input.k(row, documents);
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

    int rounds() {
        return (slots + roundSlots - 1) / roundSlots;
    }

    /**
     * Enqueues all of it, up to the copy of the results to the host. The queue has a mark after each round but
     * the last.
     */
    void start(HostBuffer inputs, HostBuffer found) throws BackendException {
        begin(inputs);
        found.reserve(rounds() * layout.resultBytes);
        SearchLaunches launches = new SearchLaunches(queue, corpus, shape, args);
        List<SearchLevel> levels = SearchLevel.of(documents, shape.sampleDocuments());
        for (int round = 0; round < rounds(); round++) {
            launches.begin(copyRound(round, inputs, true, NO_KEYS), layout, work);
            launches.search(levels);
            copyResults(round, found);
            if (round < rounds() - 1) {
                queue.mark(round);
            }
        }
    }

    /**
     * The same for queries that have been searched for, without marks.
     *
     * @param minKeys by row, what the keys of their best documents are at least
     * @param tilesAtOnce whose candidates there are at a time: of a single one there is always room
     */
    void startAgain(HostBuffer inputs, HostBuffer found, int[] minKeys, int tilesAtOnce)
            throws BackendException {
        begin(inputs);
        found.reserve(rounds() * layout.resultBytes);
        SearchLaunches launches = new SearchLaunches(queue, corpus, shape, args);
        boolean isWhole = tilesAtOnce == ALL_TILES;
        for (int round = 0; round < rounds(); round++) {
            launches.begin(copyRound(round, inputs, isWhole, minKeys), layout, work);
            if (isWhole) {
                launches.search(List.of(SearchLevel.ALL));
            } else {
                launches.searchSome(tilesAtOnce);
            }
            copyResults(round, found);
        }
    }

    private void copyResults(int round, HostBuffer found) throws BackendException {
        queue.copyToHost(found.address() + round * layout.resultBytes, work, layout.resultBytes);
    }

    /** Makes room. */
    private void begin(HostBuffer inputs) throws BackendException {
        work = queue.workspace(layout.end);
        inputs.reserve(rounds() * layout.inputBytes);
    }

    /**
     * Has a round's queries copied.
     *
     * @param minKeys by row; {@link #NO_KEYS} if nothing is known of their best documents yet
     */
    private SearchRound copyRound(int ofRound, HostBuffer inputs, boolean mayInvert, int[] minKeys)
            throws BackendException {
        int first = ofRound * roundSlots;
        int end = Math.min(sorted.length, first + roundSlots);
        SearchRound round = new SearchRound(Arrays.copyOfRange(sorted, first, end), groupQueries);
        round.number(input, corpus.books());
        if (mayInvert && shape.canInvert() && corpus.narrowTiles() > corpus.openTiles()) {
            round.choose(corpus, shape.costs().get());
            invertedQueries += round.invertedQueries();
        }
        System.arraycopy(round.rows, 0, rows, first, round.slots());
        long offset = ofRound * layout.inputBytes;
        RoundWriter writer = new RoundWriter(input, layout, documents);
        writer.write(round, inputs, offset, number);
        if (minKeys != NO_KEYS) {
            writer.writeKeys(minKeys);
        }
        System.arraycopy(writer.resultStarts(), 0, resultStarts, first, round.slots());
        queue.copyToDevice(work + layout.states, inputs.address() + offset, layout.inputBytes);
        args.round(round, layout, work, corpus, similarity);
        return round;
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
            candidates +=
                    MemoryUtil.getLong(stateAddress(found, slot) + SearchAbi.SEARCH_STATE_DROPPED)
                            + state(found, slot, SearchAbi.SEARCH_STATE_FOUND);
        }
        return candidates;
    }

    /** What the key of a slot's best documents is at least. */
    int minKey(int slot, HostBuffer found) {
        return state(found, slot, SearchAbi.SEARCH_STATE_MIN_KEY);
    }

    /** Reads what was found in a round, whose results were copied. */
    void read(int round, HostBuffer found, FoundDocuments to) throws BackendException {
        long start = round * layout.resultBytes;
        ResultCheck.requireNumber(
                number, MemoryUtil.getInt(found.address() + start + layout.number));
        LongBuffer ids = found.longs(start, layout.counts / Long.BYTES);
        IntBuffer counts = found.ints(start + layout.counts, layout.counts / Long.BYTES);
        int end = Math.min(slots, (round + 1) * roundSlots);
        for (int slot = round * roundSlots; slot < end; slot++) {
            int count = state(found, slot, SearchAbi.SEARCH_STATE_FOUND);
            int row = rows[slot];
            int most = row == SearchRound.NO_ROW ? 0 : Math.min(k(row), to.room(row));
            ResultCheck.requireBetween("the documents of a query", 0, most, count);
            if (row != SearchRound.NO_ROW) {
                to.put(row, count, ids, counts, resultStarts[slot]);
            }
        }
    }

    private int state(HostBuffer found, int slot, int field) {
        return MemoryUtil.getInt(stateAddress(found, slot) + field);
    }

    private long stateAddress(HostBuffer found, int slot) {
        return found.address()
                + slot / roundSlots * layout.resultBytes
                + layout.states
                + (long) SearchAbi.SEARCH_STATE_BYTES * (slot % roundSlots);
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
        SearchRound round = copyRound(0, inputs, false, NO_KEYS);
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
            queue.copyToDevice(work + layout.states, copies.address(), stateBytes);
            launches.scanTiles(tile, 1);
            queue.copyToHost(copies.address(), work + layout.states, stateBytes);
            queue.await();
            for (int slot = 0; slot < slots; slot++) {
                int count =
                        MemoryUtil.getInt(
                                copies.address()
                                        + (long) SearchAbi.SEARCH_STATE_BYTES * slot
                                        + SearchAbi.SEARCH_STATE_CANDIDATES);
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
