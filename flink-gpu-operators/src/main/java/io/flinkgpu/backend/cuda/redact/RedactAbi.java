package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.text.DeviceRules;

import org.apache.flink.annotation.Internal;

/**
 * The numbers of {@code kernels/include/redact/redact_abi.cuh} that this side uses, under the same
 * names; a test compares the two. What the fields of the structs mean is said there.
 */
@Internal
public final class RedactAbi {

    public static final int SEGMENT_BYTES = 32;
    public static final int FIND_THREADS = 256;
    public static final int WRITE_THREADS = 256;
    public static final int WRITE_TILE_BYTES = 7168;
    static final int WARP_LANES = 32;
    public static final int LINE_THREADS = 256;
    public static final int LINE_TILE_BYTES = 16384;

    static final int MAX_THREAD_STEPS = 8192;
    static final int MAX_OUTPUT_BYTES = 2147483647;
    static final int NEAR_OVER_ROWS = 1024;

    static final int START_INFO_CONTEXT_SHIFT = 6;
    static final int PAIR_CLASSES = 64;
    static final int PAIRS_LEAN_SHIFT = 4;
    static final int NO_GATE = 256;

    static final int CONTEXT_WORD_BYTES = DeviceRules.LEAST_WORD_BYTES;

    static final int ACTION_TEXT = 0;
    static final int ACTION_MASK = 1;
    static final int ACTION_HASH = 2;

    static final int RIVALS_NONE = 0;
    static final int RIVALS_WALKED = 1;
    static final int RIVALS_UNKNOWN = 2;

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
    static final int RULE_RIVALS = 44;
    static final int RULE_WORDS_FIRST = 48;
    static final int RULE_WORDS = 52;
    static final int RULE_WORD_MASKS = 56;
    static final int RULE_RIVAL_START_STATE = 68;
    static final int RULE_BYTES = 76;

    static final int ALLOW_TEXT_OFFSET = 0;
    static final int ALLOW_TEXT_BYTES = 4;
    static final int ALLOW_BYTES = 8;

    static final int TABLES_START_INFO = 0;
    static final int TABLES_PAIRS = 8;
    static final int TABLES_CLASS_OF = 16;
    static final int TABLES_NEXT = 24;
    static final int TABLES_MATCH_RULE = 32;
    static final int TABLES_MATCH_BACK_OFF = 40;
    static final int TABLES_RULES = 48;
    static final int TABLES_ALLOW = 56;
    static final int TABLES_TEXT = 64;
    static final int TABLES_IBAN_LENGTHS = 72;
    static final int TABLES_ENTROPY_TERMS = 80;
    static final int TABLES_START_STATE = 88;
    static final int TABLES_LEAN_START_STATE = 96;
    static final int TABLES_STRIDE_SHIFT = 104;
    static final int TABLES_END_CLASS = 108;
    static final int TABLES_FINAL_LIMIT = 112;
    static final int TABLES_MATCH_LIMIT = 116;
    static final int TABLES_RULE_COUNT = 120;
    static final int TABLES_GATE_BYTE = 124;
    static final int TABLES_BYTES = 128;

    static final int TEXT_RULE_NEXT = 0;
    static final int TEXT_RULE_CLASS_OF = 4;
    static final int TEXT_RULE_MATCH_BACK_OFF = 8;
    static final int TEXT_RULE_RULE = 12;
    static final int TEXT_RULE_MIN_LEAD = 16;
    static final int TEXT_RULE_MAX_LEAD = 20;
    static final int TEXT_RULE_STRIDE_SHIFT = 24;
    static final int TEXT_RULE_END_CLASS = 28;
    static final int TEXT_RULE_FINAL_LIMIT = 32;
    static final int TEXT_RULE_MATCH_LIMIT = 36;
    static final int TEXT_RULE_START_STATE = 40;
    static final int TEXT_RULE_BYTES = 48;

    static final int TEXT_ENTRY_VALUE = 0;
    static final int TEXT_ENTRY_MASK = 8;
    static final int TEXT_ENTRY_LENGTH = 16;
    static final int TEXT_ENTRY_NEXT = 20;
    static final int TEXT_ENTRY_RULES_FIRST = 24;
    static final int TEXT_ENTRY_RULES_COUNT = 28;
    static final int TEXT_ENTRY_BYTES = 32;

    static final int TEXT_TABLES_FILTER = 0;
    static final int TEXT_TABLES_FIRST = 8;
    static final int TEXT_TABLES_FIRST_LONG = 16;
    static final int TEXT_TABLES_ENTRIES = 24;
    static final int TEXT_TABLES_ENTRY_RULES = 32;
    static final int TEXT_TABLES_RULES = 40;
    static final int TEXT_TABLES_NEXT = 48;
    static final int TEXT_TABLES_CLASS_OF = 56;
    static final int TEXT_TABLES_MATCH_BACK_OFF = 64;
    static final int TEXT_TABLES_CONTEXT_AFTER = 72;
    static final int TEXT_TABLES_BYTES = 80;

    static final int HEADER_OUTPUT_BYTES = 0;
    static final int HEADER_OVER_ROWS = 8;
    static final int HEADER_HASH_MATCHES = 12;
    static final int HEADER_PATCHES = 16;
    static final int HEADER_TICKETS = 20;
    static final int HEADER_LINES = 24;
    static final int HEADER_LINE_TICKETS = 28;
    static final int HEADER_RULE_MATCHES = 32;
    static final int HEADER_BYTES = 32800;

    static final int PATCH_SOURCE_OFFSET = 0;
    static final int PATCH_SOURCE_BYTES = 4;
    static final int PATCH_OUTPUT_OFFSET = 8;
    static final int PATCH_RULE = 12;
    static final int PATCH_BYTES = 16;

    static final int OVER_ROW_SOURCE_OFFSET = 0;
    static final int OVER_ROW_OUTPUT_OFFSET = 4;
    static final int OVER_ROW_BYTES = 8;

    static final int ARGS_TABLES = 0;
    static final int ARGS_TEXTS = 128;
    static final int ARGS_DATA = 208;
    static final int ARGS_OFFSETS = 216;
    static final int ARGS_BITMAP = 224;
    static final int ARGS_CANDIDATES = 232;
    static final int ARGS_FOUND = 240;
    static final int ARGS_ROW_OVER = 248;
    static final int ARGS_OVER_ROWS = 256;
    static final int ARGS_NEAR_ROWS = 264;
    static final int ARGS_SCAN_STATES = 272;
    static final int ARGS_CARRIES = 280;
    static final int ARGS_OUT_OFFSETS = 288;
    static final int ARGS_CHANGED = 296;
    static final int ARGS_OUT_DATA = 304;
    static final int ARGS_PATCHES = 312;
    static final int ARGS_HEADER = 320;
    static final int ARGS_LINE_STATES = 328;
    static final int ARGS_ROWS = 336;
    static final int ARGS_DATA_BYTES = 340;
    static final int ARGS_SEPARATOR_BYTES = 344;
    static final int ARGS_OUT_CAPACITY = 348;
    static final int ARGS_PATCH_CAPACITY = 352;
    static final int ARGS_ROW_CAPACITY = 356;
    static final int ARGS_BYTES = 360;

    private RedactAbi() {}
}
