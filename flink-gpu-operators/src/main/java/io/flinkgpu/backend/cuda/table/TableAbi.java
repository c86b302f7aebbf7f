package io.flinkgpu.backend.cuda.table;

import org.apache.flink.annotation.Internal;

/**
 * The numbers of {@code kernels/include/table/table_abi.cuh} that this side uses, under the same
 * names; a test compares the two. What the fields of the structs mean is said there.
 */
@Internal
public final class TableAbi {

    static final int TABLE_THREADS = 256;

    static final int TABLE_HEADER_KEY_BYTES = 0;
    static final int TABLE_HEADER_KEY_COUNT = 8;
    static final int TABLE_HEADER_BYTES = 16;

    static final int TABLE_ENTRY_CLAIM = 0;
    static final int TABLE_ENTRY_START = 8;
    static final int TABLE_ENTRY_NUMBER = 16;
    static final int TABLE_ENTRY_LENGTH = 24;
    static final int TABLE_ENTRY_LIVE = 28;
    static final int TABLE_ENTRY_BYTES = 32;

    static final int TABLE_ARGS_OFFSETS = 0;
    static final int TABLE_ARGS_DATA = 8;
    static final int TABLE_ARGS_VALIDITY = 16;
    static final int TABLE_ARGS_NUMBERS = 24;
    static final int TABLE_ARGS_CHANGED = 32;
    static final int TABLE_ARGS_FOUND = 40;
    static final int TABLE_ARGS_FOUND_BITS = 48;
    static final int TABLE_ARGS_HEADER = 56;
    static final int TABLE_ARGS_ENTRIES = 64;
    static final int TABLE_ARGS_KEYS = 72;
    static final int TABLE_ARGS_SEED_LOW = 80;
    static final int TABLE_ARGS_SEED_HIGH = 88;
    static final int TABLE_ARGS_MAX_KEY_BYTES = 96;
    static final int TABLE_ARGS_ROWS = 104;
    static final int TABLE_ARGS_SEPARATOR_BYTES = 108;
    static final int TABLE_ARGS_SLOTS = 112;
    static final int TABLE_ARGS_MAX_KEYS = 116;
    static final int TABLE_ARGS_ROUND = 120;
    static final int TABLE_ARGS_HASH_MASK = 124;
    public static final int TABLE_ARGS_BYTES = 128;

    private TableAbi() {}
}
