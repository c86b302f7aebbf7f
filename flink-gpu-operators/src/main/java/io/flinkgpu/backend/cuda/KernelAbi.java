package io.flinkgpu.backend.cuda;

/**
 * The numbers of {@code kernels/include/abi.cuh} that this side uses, under the same names; a test
 * compares the two. What the fields of the structs mean is said there.
 */
final class KernelAbi {

    static final int SEGMENT_BYTES = 64;
    static final int FIND_THREADS = 128;
    static final int SELECT_THREADS = 128;
    static final int SCAN_THREADS = 256;
    static final int SCAN_ITEMS = 16;
    static final int WRITE_THREADS = 256;
    static final int WARP_LANES = 32;

    static final int MAX_RULES = 255;
    static final int MAX_SEGMENT_STEPS = 8192;
    static final int MAX_OUTPUT_BYTES = 2147483647;

    static final int BYTE_INFO_CONTEXT_SHIFT = 4;

    static final int ACTION_TEXT = 0;
    static final int ACTION_MASK = 1;
    static final int ACTION_HASH = 2;

    static final int RULE_ACTION = 0;
    static final int RULE_TEXT_OFFSET = 4;
    static final int RULE_TEXT_BYTES = 8;
    static final int RULE_KEEP_FIRST = 12;
    static final int RULE_KEEP_LAST = 16;
    static final int RULE_MASK_CHAR = 20;
    static final int RULE_VALIDATOR = 24;
    static final int RULE_VALIDATOR_ARGUMENT = 28;
    static final int RULE_ALLOW_FIRST = 32;
    static final int RULE_ALLOW_VALUES = 36;
    static final int RULE_ALLOW_PREFIXES = 40;
    static final int RULE_BYTES = 44;

    static final int ALLOW_TEXT_OFFSET = 0;
    static final int ALLOW_TEXT_BYTES = 4;
    static final int ALLOW_BYTES = 8;

    static final int TABLES_BYTE_INFO = 0;
    static final int TABLES_CLASS_OF = 8;
    static final int TABLES_NEXT = 16;
    static final int TABLES_MATCH_RULE = 24;
    static final int TABLES_MATCH_BACK_OFF = 32;
    static final int TABLES_RULES = 40;
    static final int TABLES_ALLOW = 48;
    static final int TABLES_TEXT = 56;
    static final int TABLES_IBAN_LENGTHS = 64;
    static final int TABLES_ENTROPY_TERMS = 72;
    static final int TABLES_START_STATE = 80;
    static final int TABLES_STRIDE_SHIFT = 88;
    static final int TABLES_END_CLASS = 92;
    static final int TABLES_FINAL_LIMIT = 96;
    static final int TABLES_MATCH_LIMIT = 100;
    static final int TABLES_RULE_COUNT = 104;
    static final int TABLES_BYTES = 112;

    static final int HEADER_OUTPUT_BYTES = 0;
    static final int HEADER_OVER_ROWS = 8;
    static final int HEADER_HASH_MATCHES = 12;
    static final int HEADER_PATCHES = 16;
    static final int HEADER_SCAN_TILE = 20;
    static final int HEADER_RULE_MATCHES = 24;
    static final int HEADER_BYTES = 2072;

    static final int PATCH_SOURCE_OFFSET = 0;
    static final int PATCH_SOURCE_BYTES = 4;
    static final int PATCH_OUTPUT_OFFSET = 8;
    static final int PATCH_RULE = 12;
    static final int PATCH_BYTES = 16;

    static final int ARGS_DATA = 112;
    static final int ARGS_OFFSETS = 120;
    static final int ARGS_BITMAP = 128;
    static final int ARGS_CANDIDATES = 136;
    static final int ARGS_ROW_OVER = 144;
    static final int ARGS_OVER_ROWS = 152;
    static final int ARGS_ROW_SIZES = 160;
    static final int ARGS_SCAN_STATES = 168;
    static final int ARGS_OUT_OFFSETS = 176;
    static final int ARGS_CHANGED = 184;
    static final int ARGS_OUT_DATA = 192;
    static final int ARGS_PATCHES = 200;
    static final int ARGS_HEADER = 208;
    static final int ARGS_ROWS = 216;
    static final int ARGS_DATA_BYTES = 220;
    static final int ARGS_SEPARATOR_BYTES = 224;
    static final int ARGS_OUT_CAPACITY = 228;
    static final int ARGS_PATCH_CAPACITY = 232;
    static final int ARGS_BYTES = 240;

    private KernelAbi() {}
}
