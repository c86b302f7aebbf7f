package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.plan.LinePlan;

import org.apache.flink.annotation.Internal;

/**
 * The numbers of {@code kernels/include/lines/lines_abi.cuh} that this side uses, under the same
 * names; a test compares the two. What the fields of the structs mean is said there.
 */
@Internal
public final class LinesAbi {

    static final int LINES_THREADS = 512;
    static final int LINES_TILE_BYTES = 32768;
    static final int LINES_RESULT_THREADS = 512;
    static final int LINES_HALO_BYTES = 2048;
    static final int LINES_MAX_NUMBERS = LinePlan.MAX_GPU_NUMBERS;
    static final int LINES_SHARED_BYTES = 47472;
    static final int LINES_PADDING_BYTES = 32;

    static final int RECORD_KEY = 0;
    static final int KEY_PLACE_BITS = 31;
    static final int RECORD_HEAD = 1;
    static final int RECORD_SLICE = 3;
    static final int RECORD_FIRST_VALUE = 3;

    static final int LINES_FIRST_VALUE_WORD = 3;
    static final int LINES_FIRST_BIN = 29;
    static final int LINES_DOUBLE_BINS = 9;
    static final int LINES_INTEGER_BINS = 2;

    static final int LINE_FIELD_TYPE = 0;
    static final int LINE_FIELD_NUMBER = 4;
    static final int LINE_FIELD_WHOLE_DIGITS = 8;
    static final int LINE_FIELD_SCALE = 12;
    static final int LINE_FIELD_BYTES = 16;

    static final int LINE_VALUE_NUMBER = 0;
    static final int LINE_VALUE_FLOATING = 4;
    static final int LINE_VALUE_MIN_MAX = 8;
    static final int LINE_VALUE_SUMMED = 12;
    static final int LINE_VALUE_FIRST_WORD = 16;
    static final int LINE_VALUE_SQUARED = 20;
    static final int LINE_VALUE_BYTES = 24;

    static final int LINES_HEADER_LINES = 0;
    static final int LINES_HEADER_GROUPS = 8;
    static final int LINES_HEADER_KEY_BYTES = 16;
    static final int LINES_HEADER_MAX_TIME = 24;
    static final int LINES_HEADER_RESULT_CURSOR = 32;
    static final int LINES_HEADER_REFUSED = 40;
    static final int LINES_HEADER_REFUSED_TILE = 44;
    static final int LINES_HEADER_FULL = 48;
    static final int LINES_HEADER_BYTES = 56;

    static final int HELD_HEADER_CURSOR = 0;
    static final int HELD_HEADER_BYTES = 8;

    static final int LINES_ARGS_DATA = 0;
    static final int LINES_ARGS_BREAKS = 8;
    static final int LINES_ARGS_FIELDS = 16;
    static final int LINES_ARGS_VALUES = 24;
    static final int LINES_ARGS_HEADER = 32;
    static final int LINES_ARGS_BINS_PRESENT = 40;
    static final int LINES_ARGS_REFUSED_BITS = 48;
    static final int LINES_ARGS_SCAN_STATES = 56;
    static final int LINES_ARGS_TABLE = 64;
    static final int LINES_ARGS_RESULT = 72;
    static final int LINES_ARGS_REFUSED_STARTS = 80;
    static final int LINES_ARGS_HELD = 88;
    static final int LINES_ARGS_HELD_BINS = 96;
    static final int LINES_ARGS_HELD_INDEX = 104;
    static final int LINES_ARGS_HELD_RECORDS = 112;
    static final int LINES_ARGS_HELD_KEYS = 120;
    static final int LINES_ARGS_SEED_LOW = 128;
    static final int LINES_ARGS_SEED_HIGH = 136;
    static final int LINES_ARGS_SLICE_MILLIS = 144;
    static final int LINES_ARGS_SLICE_OFFSET = 152;
    static final int LINES_ARGS_RESULT_ROOM = 160;
    static final int LINES_ARGS_DATA_BYTES = 168;
    static final int LINES_ARGS_BREAKS_COUNT = 172;
    static final int LINES_ARGS_FIRST_OFFSET = 176;
    static final int LINES_ARGS_FIELDS_COUNT = 180;
    static final int LINES_ARGS_VALUES_COUNT = 184;
    static final int LINES_ARGS_KEY_FIELD = 188;
    static final int LINES_ARGS_TIME_FIELD = 192;
    static final int LINES_ARGS_SEPARATOR = 196;
    static final int LINES_ARGS_QUOTED = 200;
    static final int LINES_ARGS_RECORD_WORDS = 204;
    static final int LINES_ARGS_TABLE_MASK = 208;
    static final int LINES_ARGS_PROBES = 212;
    static final int LINES_ARGS_OWN_SLOTS = 216;
    static final int LINES_ARGS_HASH_MASK = 220;
    static final int LINES_ARGS_HELD_MASK = 224;
    static final int LINES_ARGS_HELD_GROUPS = 228;
    static final int LINES_ARGS_GIVEN_FIRST = 232;
    static final int LINES_ARGS_GIVEN_COUNT = 236;
    static final int LINES_ARGS_BYTES = 240;

    private LinesAbi() {}
}
