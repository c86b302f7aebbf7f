package io.flinkgpu.backend.cuda.aggregate;

import org.apache.flink.annotation.Internal;

/**
 * The numbers of {@code kernels/include/group/group_abi.cuh} that this side uses, under the same
 * names; a test compares the two. What the fields of the structs mean is said there.
 */
@Internal
public final class GroupAbi {

    public static final int GROUP_THREADS = 256;
    public static final int BINS_ITEMS = 16;
    public static final int RANK_THREADS = 1024;
    public static final int RANK_ITEMS = 16;
    public static final int ADD_THREADS = 512;
    public static final int ADD_ITEMS = 8;

    static final int SHARED_WORDS = 6144;

    static final int FIRST_VALUE_WORD = 3;

    static final int COLUMN_DATA = 0;
    static final int COLUMN_VALIDITY = 8;
    static final int COLUMN_FLOATING = 16;
    static final int COLUMN_MIN_MAX = 20;
    static final int COLUMN_SUMMED = 24;
    static final int COLUMN_FIRST_WORD = 28;
    static final int COLUMN_FIRST_BIN = 32;
    static final int COLUMN_BINS = 36;
    static final int COLUMN_SQUARED = 40;
    public static final int COLUMN_BYTES = 48;

    static final int GROUP_HEADER_GROUPS = 0;
    static final int GROUP_HEADER_RANK_TILE = 4;
    static final int GROUP_HEADER_BYTES = 8;

    static final int GROUP_ARGS_KEY_IDS = 0;
    static final int GROUP_ARGS_KEY_OFFSETS = 8;
    static final int GROUP_ARGS_KEY_DATA = 16;
    static final int GROUP_ARGS_SLICES = 24;
    static final int GROUP_ARGS_COLUMNS = 32;
    static final int GROUP_ARGS_HEADER = 40;
    static final int GROUP_ARGS_BINS_PRESENT = 48;
    static final int GROUP_ARGS_SCAN_STATES = 56;
    static final int GROUP_ARGS_TABLE = 64;
    static final int GROUP_ARGS_ROW_GROUPS = 72;
    static final int GROUP_ARGS_RANKS = 80;
    static final int GROUP_ARGS_WORDS = 88;
    static final int GROUP_ARGS_SEED_LOW = 96;
    static final int GROUP_ARGS_SEED_HIGH = 104;
    static final int GROUP_ARGS_ROWS = 112;
    static final int GROUP_ARGS_TABLE_MASK = 116;
    static final int GROUP_ARGS_HASH_MASK = 120;
    static final int GROUP_ARGS_VALUES = 124;
    static final int GROUP_ARGS_GROUPS = 128;
    public static final int GROUP_ARGS_BYTES = 136;

    private GroupAbi() {}
}
