package io.flinkgpu.backend.cuda.search;

import org.apache.flink.annotation.Internal;

/**
 * The numbers of {@code kernels/include/search/search_abi.cuh} that this side uses, under the same
 * names; a test compares the two. What the fields of the structs mean is said there.
 */
@Internal
public final class SearchAbi {

    static final int SEARCH_SCAN_THREADS = 1024;
    static final int SEARCH_INVERTED_THREADS = 512;
    static final int SEARCH_SELECT_THREADS = 1024;
    static final int SEARCH_NEED_THREADS = 1024;
    static final int SEARCH_INDEX_THREADS = 1024;
    static final int SEARCH_THREADS = 256;
    static final int SEARCH_INVERTED_BYTES = 74_752;
    static final int SEARCH_GROUP_DOCUMENTS = 32;
    static final int SEARCH_CHUNK_BYTES = 512;
    static final int SEARCH_TILE_GROUPS = 2048;
    static final int SEARCH_TILE_SLOTS = 65_536;
    static final int SEARCH_NARROW_SIZES = 256;
    static final int SEARCH_WIDE_SIZES = 1056;
    static final int SEARCH_NEED_WORDS = 12;
    static final int SEARCH_MOST_K = 1024;
    static final int SEARCH_CANDIDATES = 66_560;
    static final int SEARCH_NEVER = 65_535;

    static final int SEARCH_TILE_ELEMENTS = 0;
    static final int SEARCH_TILE_CHUNKS = 8;
    static final int SEARCH_TILE_IDS = 16;
    static final int SEARCH_TILE_BORN = 24;
    static final int SEARCH_TILE_DIED = 32;
    static final int SEARCH_TILE_ATTRIBUTES = 40;
    static final int SEARCH_TILE_SIZES = 48;
    static final int SEARCH_TILE_POSTING_STARTS = 56;
    static final int SEARCH_TILE_POSTINGS = 64;
    static final int SEARCH_TILE_DOCUMENTS = 72;
    static final int SEARCH_TILE_CODES = 76;
    static final int SEARCH_TILE_SMALLEST = 80;
    static final int SEARCH_TILE_LARGEST = 84;
    static final int SEARCH_TILE_BYTES = 88;

    static final int SEARCH_QUERY_VERSION = 0;
    static final int SEARCH_QUERY_MIN_SCORE = 8;
    static final int SEARCH_QUERY_K = 16;
    static final int SEARCH_QUERY_SIZE = 20;
    static final int SEARCH_QUERY_CODES_START = 24;
    static final int SEARCH_QUERY_CODES_COUNT = 28;
    static final int SEARCH_QUERY_ELEMENTS_START = 32;
    static final int SEARCH_QUERY_MASK = 36;
    static final int SEARCH_QUERY_VALUE = 40;
    static final int SEARCH_QUERY_LEAST = 44;
    static final int SEARCH_QUERY_RESULT_START = 48;
    static final int SEARCH_QUERY_BYTES = 56;

    static final int SEARCH_STATE_CANDIDATES = 0;
    static final int SEARCH_STATE_MIN_KEY = 4;
    static final int SEARCH_STATE_OVERFLOWED = 8;
    static final int SEARCH_STATE_FOUND = 12;
    static final int SEARCH_STATE_DROPPED = 16;
    static final int SEARCH_STATE_BYTES = 128;

    static final int SEARCH_DEATH_DIED = 0;
    static final int SEARCH_DEATH_CHANGE = 8;
    static final int SEARCH_DEATH_BYTES = 16;

    static final int SEARCH_ARGS_TILES = 0;
    static final int SEARCH_ARGS_QUERIES = 8;
    static final int SEARCH_ARGS_STATES = 16;
    static final int SEARCH_ARGS_CODES = 24;
    static final int SEARCH_ARGS_ELEMENTS = 32;
    static final int SEARCH_ARGS_NEED = 40;
    static final int SEARCH_ARGS_LEAST = 48;
    static final int SEARCH_ARGS_TABLE = 56;
    static final int SEARCH_ARGS_CANDIDATES = 64;
    static final int SEARCH_ARGS_FOUND_IDS = 72;
    static final int SEARCH_ARGS_FOUND_COUNTS = 80;
    static final int SEARCH_ARGS_FIRST_TILE = 88;
    static final int SEARCH_ARGS_TILE_COUNT = 92;
    static final int SEARCH_ARGS_QUERY_COUNT = 96;
    static final int SEARCH_ARGS_GROUP_QUERIES = 100;
    static final int SEARCH_ARGS_FIRST_GROUP = 104;
    static final int SEARCH_ARGS_GROUPS = 108;
    static final int SEARCH_ARGS_STRIPES = 112;
    static final int SEARCH_ARGS_SIMILARITY = 116;
    static final int SEARCH_ARGS_CODE_COUNT = 120;
    static final int SEARCH_ARGS_SIZES = 124;
    static final int SEARCH_ARGS_STRIDE_LOG = 128;
    static final int SEARCH_ARGS_FIRST = 132;
    static final int SEARCH_ARGS_SKIP_MASK = 136;
    static final int SEARCH_ARGS_SKIP_FIRST = 140;
    static final int SEARCH_ARGS_TABLE_LOG = 144;
    static final int SEARCH_ARGS_TABLE_SHARED = 148;
    static final int SEARCH_ARGS_EXACT = 152;
    static final int SEARCH_ARGS_BYTES = 160;

    static final int SEARCH_INDEX_ARGS_ELEMENTS = 0;
    static final int SEARCH_INDEX_ARGS_CHUNKS = 8;
    static final int SEARCH_INDEX_ARGS_SIZES = 16;
    static final int SEARCH_INDEX_ARGS_POSTING_STARTS = 24;
    static final int SEARCH_INDEX_ARGS_POSTINGS = 32;
    static final int SEARCH_INDEX_ARGS_DOCUMENTS = 40;
    static final int SEARCH_INDEX_ARGS_CODES = 44;
    static final int SEARCH_INDEX_ARGS_BYTES = 48;

    static final int SEARCH_DIE_ARGS_DEATHS = 0;
    static final int SEARCH_DIE_ARGS_COUNT = 8;
    static final int SEARCH_DIE_ARGS_BYTES = 16;

    private SearchAbi() {}
}
