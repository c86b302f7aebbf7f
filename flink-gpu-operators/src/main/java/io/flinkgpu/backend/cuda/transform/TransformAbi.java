package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.Internal;

/**
 * The numbers of {@code kernels/include/transform/transform_abi.cuh} that this side uses, under the
 * same names; a test compares the two. What the fields of the structs mean is said there.
 */
@Internal
public final class TransformAbi {

    static final int TRANSFORM_THREADS = 128;
    static final int TRANSFORM_ITEM_SHIFT = 2;

    static final int LITERAL_COPIES = 4;
    static final int EARLY_COLUMNS = 2;
    static final int STAGE_SLACK_BYTES = 16;
    static final int WINDOW_COLUMN_BYTES = 48;

    static final int MAX_WINDOW_BYTES = 65024;
    static final int MAX_TEXT_BYTES = 2147483647;

    static final int NO_REGISTER = 255;

    static final int TYPE_TEXT = 0;
    static final int TYPE_LONG = 1;
    static final int TYPE_DOUBLE = 2;
    static final int TYPE_BOOLEAN = 3;

    static final int INSTRUCTION_CODE = 0;
    static final int INSTRUCTION_TO = 1;
    static final int INSTRUCTION_TO_SECOND = 2;
    static final int INSTRUCTION_CONDITION = 3;
    static final int INSTRUCTION_X = 4;
    static final int INSTRUCTION_Y = 5;
    static final int INSTRUCTION_A_KIND = 6;
    static final int INSTRUCTION_B_KIND = 7;
    static final int INSTRUCTION_A = 8;
    static final int INSTRUCTION_B = 10;
    static final int INSTRUCTION_COUNT = 12;
    static final int INSTRUCTION_NUMBER = 16;
    static final int INSTRUCTION_BYTES = 32;

    static final int PART_GUARD = 0;
    static final int PART_CHANGE = 1;
    static final int PART_KIND = 2;
    static final int PART_OTHER_KIND = 3;
    static final int PART_TEXT = 4;
    static final int PART_OTHER = 6;
    static final int PART_WHAT = 8;
    static final int PART_WITH = 10;
    static final int PART_TEXT_WORD = 16;
    static final int PART_OTHER_WORD = 20;
    static final int PART_IS_SHORT = 24;
    static final int PART_TEXT_BYTES = 25;
    static final int PART_OTHER_BYTES = 26;
    static final int PART_BYTES = 32;

    static final int LITERAL_OFFSET = 0;
    static final int LITERAL_LENGTH = 4;
    static final int LITERAL_BYTES = 8;

    static final int AUTOMATON_CLASSES = 0;
    static final int AUTOMATON_NEXT = 4;
    static final int AUTOMATON_ACCEPTS = 8;
    static final int AUTOMATON_START = 12;
    static final int AUTOMATON_STRIDE_SHIFT = 16;
    static final int AUTOMATON_DEAD = 20;
    static final int AUTOMATON_BYTES = 24;

    static final int SOURCE_DATA = 0;
    static final int SOURCE_OFFSETS = 8;
    static final int SOURCE_VALIDITY = 16;
    static final int SOURCE_SEPARATOR_BYTES = 24;
    static final int SOURCE_TYPE = 28;
    static final int SOURCE_BYTES = 32;

    static final int OUTPUT_HEADER_TOTAL = 0;
    static final int OUTPUT_HEADER_NULLS = 8;
    static final int OUTPUT_HEADER_BYTES = 16;
    static final int OUTPUT_DATA = 0;
    static final int OUTPUT_OFFSETS = 8;
    static final int OUTPUT_VALIDITY = 16;
    static final int OUTPUT_SCAN_STATES = 24;
    static final int OUTPUT_HEADER_ADDRESS = 32;
    static final int OUTPUT_CAPACITY = 40;
    static final int OUTPUT_TYPE = 44;
    static final int OUTPUT_FIRST_PART = 48;
    static final int OUTPUT_PARTS = 52;
    static final int OUTPUT_SOURCE = 56;
    static final int OUTPUT_CHANGES = 60;
    static final int OUTPUT_BYTES = 64;

    static final int STATUS_FAILED_PASS = 0;
    static final int STATUS_BYTES = 8;

    static final int TRANSFORM_ARGS_PROGRAM = 0;
    static final int TRANSFORM_ARGS_COLUMNS = 8;
    static final int TRANSFORM_ARGS_OUTPUTS = 16;
    static final int TRANSFORM_ARGS_STATUS = 24;
    static final int TRANSFORM_ARGS_HEAD_OFFSET = 32;
    static final int TRANSFORM_ARGS_HEAD_BYTES = 36;
    static final int TRANSFORM_ARGS_PARTS_OFFSET = 40;
    static final int TRANSFORM_ARGS_PACKED_OFFSET = 44;
    static final int TRANSFORM_ARGS_LITERALS_OFFSET = 48;
    static final int TRANSFORM_ARGS_TEXT_OFFSET = 52;
    static final int TRANSFORM_ARGS_AUTOMATA_OFFSET = 56;
    static final int TRANSFORM_ARGS_UPPER_OFFSET = 60;
    static final int TRANSFORM_ARGS_LOWER_OFFSET = 64;
    static final int TRANSFORM_ARGS_INSTRUCTIONS = 68;
    static final int TRANSFORM_ARGS_TEXT_COLUMNS = 72;
    static final int TRANSFORM_ARGS_OUTPUTS_COUNT = 76;
    static final int TRANSFORM_ARGS_PASS = 80;
    static final int TRANSFORM_ARGS_ROWS = 84;
    static final int TRANSFORM_ARGS_ITEM_SHIFT = 88;
    static final int TRANSFORM_ARGS_WINDOW_BYTES = 92;
    static final int TRANSFORM_ARGS_STAGE_BYTES = 96;
    static final int TRANSFORM_ARGS_SHARED_NUMBERS = 100;
    static final int TRANSFORM_ARGS_SHARED_NULLS = 104;
    static final int TRANSFORM_ARGS_SHARED_CONDITIONS = 108;
    static final int TRANSFORM_ARGS_SHARED_OUTPUTS = 112;
    static final int TRANSFORM_ARGS_SHARED_COLUMNS = 116;
    static final int TRANSFORM_ARGS_SHARED_WINDOW = 120;
    static final int TRANSFORM_ARGS_SHARED_SLOTS = 124;
    static final int TRANSFORM_ARGS_SHARED_STAGE = 128;
    static final int TRANSFORM_ARGS_SHARED_LENGTHS = 132;
    static final int TRANSFORM_ARGS_SHARED_BYTES = 136;
    static final int TRANSFORM_ARGS_SEPARATOR_BYTES = 140;
    static final int TRANSFORM_ARGS_EARLY_OFFSETS = 144;
    static final int TRANSFORM_ARGS_SIZE = 160;

    private TransformAbi() {}

    /** The kernel's number for a type. */
    static int type(ColumnType type) {
        return switch (type.kind()) {
            case TEXT -> TYPE_TEXT;
            case LONG -> TYPE_LONG;
            case DOUBLE -> TYPE_DOUBLE;
            case BOOLEAN -> TYPE_BOOLEAN;
            case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                    throw type.refusedBy("a column of a pass");
        };
    }
}
