package io.flinkgpu.backend.cuda.search;

import org.apache.arrow.memory.util.MemoryUtil;

/** Writes what the device gets of a round to host memory: the states that its queries start with, and these. */
final class RoundWriter {

    private final SearchInput input;
    private final SearchLayout layout;
    private final long documents;
    private SearchRound round;
    private int[] resultStarts;

    /** Where the states are, which come first. */
    private long states;

    /**
     * @param documents there are
     */
    RoundWriter(SearchInput input, SearchLayout layout, long documents) {
        this.input = input;
        this.layout = layout;
        this.documents = documents;
    }

    /**
     * Writes a round.
     *
     * @param offset where in the buffer
     * @param number of the batch
     */
    void write(SearchRound written, HostBuffer to, long offset, int number) {
        round = written;
        resultStarts = new int[round.slots()];
        states = to.address() + offset;
        MemoryUtil.setMemory(states, (long) SearchAbi.SEARCH_STATE_BYTES * round.slots(), (byte) 0);
        MemoryUtil.putInt(at(layout.number), number);
        to.put(offset + layout.codes - layout.states, round.codes, round.codeCount);
        writeQueries();
    }

    /**
     * Writes what is known of the best documents of the round's queries.
     *
     * @param minKeys by row, what the keys of these are at least
     */
    void writeKeys(int[] minKeys) {
        for (int slot = 0; slot < round.slots(); slot++) {
            int row = round.rows[slot];
            if (row != SearchRound.NO_ROW) {
                long state = states + (long) SearchAbi.SEARCH_STATE_BYTES * slot;
                MemoryUtil.putInt(state + SearchAbi.SEARCH_STATE_MIN_KEY, minKeys[row]);
            }
        }
    }

    /** By slot: where the documents found for a query start in those of the round. */
    int[] resultStarts() {
        return resultStarts;
    }

    /** The host's address for a place on the device. */
    private long at(long ofLayout) {
        return states + ofLayout - layout.states;
    }

    private void writeQueries() {
        int elements = 0;
        int nextResult = 0;
        for (int slot = 0; slot < round.slots(); slot++) {
            long to = at(layout.queries) + (long) SearchAbi.SEARCH_QUERY_BYTES * slot;
            int row = round.rows[slot];
            resultStarts[slot] = nextResult;
            if (row == SearchRound.NO_ROW) {
                SearchInput.writeNone(to, nextResult++);
                continue;
            }
            int k = input.k(row, documents);
            input.write(to, row, k, nextResult);
            nextResult += k;
            MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_CODES_START, round.codeStarts[slot]);
            MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_CODES_COUNT, round.codeCounts[slot]);
            MemoryUtil.putInt(to + SearchAbi.SEARCH_QUERY_ELEMENTS_START, elements);
            if (layout.tableLog > 0) {
                elements = writeElements(row, elements);
            }
        }
    }

    private int writeElements(int row, int start) {
        int size = input.size(row);
        for (int i = 0; i < size; i++) {
            MemoryUtil.putInt(
                    at(layout.elements) + (long) Integer.BYTES * (start + i),
                    input.element(row, i));
        }
        return start + size;
    }
}
