package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.api.search.Similarity;

import org.apache.arrow.memory.util.MemoryUtil;

/** The {@code search_args} struct in host memory, changed from launch to launch. */
final class SearchArgs {

    private final long address;

    SearchArgs(long address) {
        this.address = address;
        MemoryUtil.setMemory(address, SearchAbi.SEARCH_ARGS_BYTES, (byte) 0);
    }

    long address() {
        return address;
    }

    private void put(int field, int value) {
        MemoryUtil.putInt(address + field, value);
    }

    /**
     * What is the same for all launches of a round.
     *
     * @param work where the round's memory is on the device
     */
    void round(
            SearchRound round,
            SearchLayout layout,
            long work,
            DeviceCorpus corpus,
            Similarity similarity) {
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_TILES, corpus.table());
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_QUERIES, work + layout.queries);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_STATES, work + layout.states);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_CODES, work + layout.codes);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_ELEMENTS, work + layout.elements);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_NEED, work + layout.need);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_LEAST, work + layout.least);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_TABLE, work + layout.table);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_CANDIDATES, work + layout.candidates);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_FOUND_IDS, work);
        MemoryUtil.putLong(address + SearchAbi.SEARCH_ARGS_FOUND_COUNTS, work + layout.counts);
        put(SearchAbi.SEARCH_ARGS_QUERY_COUNT, round.slots());
        put(SearchAbi.SEARCH_ARGS_GROUP_QUERIES, round.groupQueries);
        put(SearchAbi.SEARCH_ARGS_SIMILARITY, similarity.ordinal());
        put(SearchAbi.SEARCH_ARGS_CODE_COUNT, corpus.books().numbers().count());
        put(SearchAbi.SEARCH_ARGS_SIZES, layout.sizes);
        put(SearchAbi.SEARCH_ARGS_TABLE_LOG, layout.tableLog);
        groups(0, round.groups());
        level(SearchLevel.ALL);
    }

    /** The groups of queries of the next launches. */
    void groups(int first, int count) {
        put(SearchAbi.SEARCH_ARGS_FIRST_GROUP, first);
        put(SearchAbi.SEARCH_ARGS_GROUPS, count);
    }

    /** The tiles of the next launches. */
    void tiles(int first, int count) {
        put(SearchAbi.SEARCH_ARGS_FIRST_TILE, first);
        put(SearchAbi.SEARCH_ARGS_TILE_COUNT, count);
    }

    /** The documents of the next launches. */
    void level(SearchLevel level) {
        put(SearchAbi.SEARCH_ARGS_STRIDE_LOG, level.strideLog());
        put(SearchAbi.SEARCH_ARGS_FIRST, level.first());
        put(SearchAbi.SEARCH_ARGS_SKIP_MASK, level.skipMask());
        put(SearchAbi.SEARCH_ARGS_SKIP_FIRST, level.skipFirst());
    }

    /** Into how many parts documents are cut. */
    void stripes(int stripes) {
        put(SearchAbi.SEARCH_ARGS_STRIPES, stripes);
    }

    /** Whether blocks have tables of elements in shared memory. */
    void sharesTable(boolean shares) {
        put(SearchAbi.SEARCH_ARGS_TABLE_SHARED, shares ? 1 : 0);
    }

    /** Whether the next selection leaves the best k alone. */
    void isExact(boolean isExact) {
        put(SearchAbi.SEARCH_ARGS_EXACT, isExact ? 1 : 0);
    }
}
