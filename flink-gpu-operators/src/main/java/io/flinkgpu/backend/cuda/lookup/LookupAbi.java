package io.flinkgpu.backend.cuda.lookup;

import org.apache.flink.annotation.Internal;

/**
 * The numbers of {@code kernels/include/lookup/lookup_abi.cuh} that this side uses, under the same
 * names; a test compares the two. What the fields of the structs mean is said there.
 */
@Internal
public final class LookupAbi {

    static final int LOOKUP_THREADS = 256;
    static final int LOOKUP_WARP_LINES = 4;
    static final int LOOKUP_RANK_VECTORS = 4096;
    static final int LOOKUP_LINE_BYTES = 128;
    static final int LOOKUP_LEAST_STRIDE = 32;
    static final int LOOKUP_KIND_BITS = 2;
    static final int LOOKUP_MOST_TABLES = 4096;
    static final int LOOKUP_EPOCHS = 1_048_576;
    static final int LOOKUP_DISK_BIT = 31;
    static final int LOOKUP_FREQUENCIES = 256;
    static final int LOOKUP_PAGE_BITS = 21;
    static final int LOOKUP_PAGES = 4096;

    static final int LOOKUP_SLOT_ID = 0;
    static final int LOOKUP_SLOT_INDEX = 8;
    static final int LOOKUP_SLOT_USED = 12;
    static final int LOOKUP_SLOT_BYTES = 16;

    static final int LOOKUP_TABLE_SLOTS = 0;
    static final int LOOKUP_TABLE_CHUNKS = 8;
    static final int LOOKUP_TABLE_CACHE = 16;
    static final int LOOKUP_TABLE_LOCATIONS = 24;
    static final int LOOKUP_TABLE_FREQUENCIES = 32;
    static final int LOOKUP_TABLE_MISSING = 40;
    static final int LOOKUP_TABLE_SLOT_SHIFT = 48;
    static final int LOOKUP_TABLE_DIMENSION = 52;
    static final int LOOKUP_TABLE_TYPE = 56;
    static final int LOOKUP_TABLE_STRIDE = 60;
    static final int LOOKUP_TABLE_CACHED = 64;
    static final int LOOKUP_TABLE_HOST_VECTORS = 68;
    static final int LOOKUP_TABLE_CHUNK_SHIFT = 72;
    static final int LOOKUP_TABLE_BYTES = 80;

    static final int LOOKUP_HEADER_BAG_VALUES = 0;
    static final int LOOKUP_HEADER_ID_VALUES = 8;
    static final int LOOKUP_HEADER_LINES = 16;
    static final int LOOKUP_HEADER_DISK_READS = 20;
    static final int LOOKUP_HEADER_DISK_LINES = 24;
    static final int LOOKUP_HEADER_BAD_BAGS = 28;
    static final int LOOKUP_HEADER_NUMBER = 32;
    static final int LOOKUP_HEADER_UNCOMBINED = 36;
    static final int LOOKUP_HEADER_BYTES = 40;

    static final int LOOKUP_COUNTS_MISSING = 0;
    static final int LOOKUP_COUNTS_DEVICE = 4;
    static final int LOOKUP_COUNTS_HOST = 8;
    static final int LOOKUP_COUNTS_DISK = 12;
    static final int LOOKUP_COUNTS_UNIQUE = 16;
    static final int LOOKUP_COUNTS_HOST_UNIQUE = 20;
    static final int LOOKUP_COUNTS_DISK_UNIQUE = 24;
    static final int LOOKUP_COUNTS_NAN_WEIGHTS = 28;
    static final int LOOKUP_COUNTS_BYTES = 32;

    static final int LOOKUP_BAG_START = 0;
    static final int LOOKUP_BAG_END = 4;
    static final int LOOKUP_BAG_KIND = 8;
    static final int LOOKUP_BAG_WEIGHTS = 12;
    static final int LOOKUP_BAG_ROW = 16;
    static final int LOOKUP_BAG_BASE = 20;
    static final int LOOKUP_BAG_BYTES = 24;

    static final int LOOKUP_READ_TABLE = 0;
    static final int LOOKUP_READ_INDEX = 4;
    static final int LOOKUP_READ_LINE = 8;
    static final int LOOKUP_READ_BYTES = 12;

    static final int LOOKUP_HOST_LINE_SOURCE = 0;
    static final int LOOKUP_HOST_LINE_LINE = 8;
    static final int LOOKUP_HOST_LINE_BYTES = 16;

    static final int LOOKUP_ARGS_IDS = 0;
    static final int LOOKUP_ARGS_ID_OFFSETS = 8;
    static final int LOOKUP_ARGS_BAGS = 16;
    static final int LOOKUP_ARGS_BAG_OFFSETS = 24;
    static final int LOOKUP_ARGS_BAG_ENDS = 32;
    static final int LOOKUP_ARGS_WEIGHTS = 40;
    static final int LOOKUP_ARGS_WEIGHT_OFFSETS = 48;
    static final int LOOKUP_ARGS_TABLES = 56;
    static final int LOOKUP_ARGS_HEADER = 64;
    static final int LOOKUP_ARGS_COUNTS = 72;
    static final int LOOKUP_ARGS_BAG_TILES = 80;
    static final int LOOKUP_ARGS_ID_TILES = 88;
    static final int LOOKUP_ARGS_PLACES = 96;
    static final int LOOKUP_ARGS_SOURCES = 104;
    static final int LOOKUP_ARGS_ID_BASES = 112;
    static final int LOOKUP_ARGS_ID_BAGS = 120;
    static final int LOOKUP_ARGS_UNIQUE_KEYS = 128;
    static final int LOOKUP_ARGS_UNIQUE_LINES = 136;
    static final int LOOKUP_ARGS_LINE_SOURCES = 144;
    static final int LOOKUP_ARGS_LINES = 152;
    static final int LOOKUP_ARGS_PAGE_COUNTS = 160;
    static final int LOOKUP_ARGS_ORDERED_LINES = 168;
    static final int LOOKUP_ARGS_READS = 176;
    static final int LOOKUP_ARGS_DISK_LINES = 184;
    static final int LOOKUP_ARGS_VALUES = 192;
    static final int LOOKUP_ARGS_VALUE_ENDS = 200;
    static final int LOOKUP_ARGS_VALUE_OFFSETS = 208;
    static final int LOOKUP_ARGS_ROOM = 216;
    static final int LOOKUP_ARGS_SEED_LOW = 224;
    static final int LOOKUP_ARGS_SEED_HIGH = 232;
    static final int LOOKUP_ARGS_ROWS = 240;
    static final int LOOKUP_ARGS_BAG_COUNT = 244;
    static final int LOOKUP_ARGS_ID_COUNT = 248;
    static final int LOOKUP_ARGS_TABLE_COUNT = 252;
    static final int LOOKUP_ARGS_EPOCH = 256;
    static final int LOOKUP_ARGS_UNIQUE_SHIFT = 260;
    static final int LOOKUP_ARGS_LANES = 264;
    static final int LOOKUP_ARGS_WARPS = 268;
    static final int LOOKUP_ARGS_BYTES = 272;

    static final int LOOKUP_RANK_ARGS_FREQUENCIES = 0;
    static final int LOOKUP_RANK_ARGS_LOCATIONS = 8;
    static final int LOOKUP_RANK_ARGS_HISTOGRAM = 16;
    static final int LOOKUP_RANK_ARGS_TILES = 24;
    static final int LOOKUP_RANK_ARGS_LIST_COUNTS = 32;
    static final int LOOKUP_RANK_ARGS_ADMITTED = 40;
    static final int LOOKUP_RANK_ARGS_EVICTED = 48;
    static final int LOOKUP_RANK_ARGS_VECTORS = 56;
    static final int LOOKUP_RANK_ARGS_THRESHOLD = 60;
    static final int LOOKUP_RANK_ARGS_TIES = 64;
    static final int LOOKUP_RANK_ARGS_ROOM = 68;
    static final int LOOKUP_RANK_ARGS_BYTES = 72;

    static final int LOOKUP_COPY_TO = 0;
    static final int LOOKUP_COPY_FROM = 8;
    static final int LOOKUP_COPY_WORDS = 16;
    static final int LOOKUP_COPY_BYTES = 24;

    static final int LOOKUP_PUT_ARGS_COPIES = 0;
    static final int LOOKUP_PUT_ARGS_COUNT = 8;
    static final int LOOKUP_PUT_ARGS_BYTES = 16;

    private LookupAbi() {}
}
