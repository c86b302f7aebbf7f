package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.program.PassOutput;
import io.flinkgpu.program.TextPart.Change;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/**
 * Writes what the transform kernel is told of a batch. Pure: calls no driver.
 *
 * @param program where the program is on the device
 * @param base where the block with this layout is on the device
 * @param texts where the bytes of each column are on the device if a pass writes it and it is a text
 * @param capacities for how many bytes there is room there
 */
record TransformArgs(
        NumberedPasses plan,
        TransformInput input,
        TransformShape[] shapes,
        TransformLayout layout,
        long program,
        long base,
        long[] texts,
        long[] capacities) {

    /**
     * Writes the tables of all passes.
     *
     * @param to host address of what goes to {@link #tablesOffset()}
     */
    void writeTables(long to) {
        MemoryUtil.setMemory(to, tablesBytes(), (byte) 0);
        for (int pass = 0; pass < shapes.length; pass++) {
            PassImage image = plan.program().passes().get(pass);
            long sources = to + layout.sources[pass] - tablesOffset();
            List<Integer> columns = image.columns().columns();
            for (int i = 0; i < columns.size(); i++) {
                writeSource(sources + (long) TransformAbi.SOURCE_BYTES * i, columns.get(i));
            }
            long outputs = to + layout.outputs[pass] - tablesOffset();
            int firstPart = 0;
            for (int i = 0; i < image.pass().outputs().size(); i++) {
                long at = outputs + (long) TransformAbi.OUTPUT_BYTES * i;
                writeOutput(at, plan.firstOutput(pass) + i, image.pass().outputs().get(i));
                List<GuardedText> texts = image.texts().get(i);
                MemoryUtil.putInt(at + TransformAbi.OUTPUT_FIRST_PART, firstPart);
                MemoryUtil.putInt(at + TransformAbi.OUTPUT_PARTS, texts.size());
                MemoryUtil.putInt(at + TransformAbi.OUTPUT_CHANGES, changes(texts));
                firstPart += texts.size();
            }
        }
    }

    long tablesOffset() {
        return layout.zeroBytes;
    }

    long tablesBytes() {
        return layout.tablesEnd - layout.zeroBytes;
    }

    private void writeSource(long at, int column) {
        boolean isInput = column < plan.inputs();
        TransformInput.Column host = isInput ? input.columns().get(column) : null;
        boolean isText = plan.types().get(column) == ColumnType.TEXT;
        boolean hasValidity = host == null || host.validity() != 0;
        long data = plan.isWrittenText(column) ? texts[column] : base + layout.data[column];
        long offsets = isText ? base + layout.offsets[column] : 0;
        long validity = hasValidity ? base + layout.validity[column] : 0;
        MemoryUtil.putLong(
                at + TransformAbi.SOURCE_DATA, host == null ? data : data - host.firstOffset());
        MemoryUtil.putLong(at + TransformAbi.SOURCE_OFFSETS, offsets);
        MemoryUtil.putLong(at + TransformAbi.SOURCE_VALIDITY, validity);
        MemoryUtil.putInt(at + TransformAbi.SOURCE_SEPARATOR_BYTES, input.separatorBytes());
        MemoryUtil.putInt(
                at + TransformAbi.SOURCE_TYPE, TransformAbi.type(plan.types().get(column)));
    }

    private void writeOutput(long at, int column, PassOutput output) {
        boolean isText = output.type() == ColumnType.TEXT;
        long header =
                TransformLayout.HEADERS
                        + (long) TransformAbi.OUTPUT_HEADER_BYTES * (column - plan.inputs());
        MemoryUtil.putLong(
                at + TransformAbi.OUTPUT_DATA, isText ? texts[column] : base + layout.data[column]);
        MemoryUtil.putLong(at + TransformAbi.OUTPUT_OFFSETS, base + layout.offsets[column]);
        MemoryUtil.putLong(at + TransformAbi.OUTPUT_VALIDITY, base + layout.validity[column]);
        MemoryUtil.putLong(at + TransformAbi.OUTPUT_SCAN_STATES, base + layout.scanStates[column]);
        MemoryUtil.putLong(at + TransformAbi.OUTPUT_HEADER_ADDRESS, base + header);
        MemoryUtil.putInt(at + TransformAbi.OUTPUT_CAPACITY, (int) capacities[column]);
        MemoryUtil.putInt(at + TransformAbi.OUTPUT_TYPE, TransformAbi.type(output.type()));
        MemoryUtil.putInt(at + TransformAbi.OUTPUT_SOURCE, Math.max(0, output.register()));
    }

    private static int changes(List<GuardedText> texts) {
        return (int) texts.stream().filter(text -> text.change() != Change.NONE).count();
    }

    /**
     * Writes the {@code transform_args} struct of a pass.
     *
     * @param at host address of the struct
     */
    void writeStruct(long at, int pass) {
        PassImage image = plan.program().passes().get(pass);
        MemoryUtil.putLong(at + TransformAbi.TRANSFORM_ARGS_PROGRAM, program);
        MemoryUtil.putLong(at + TransformAbi.TRANSFORM_ARGS_COLUMNS, base + layout.sources[pass]);
        MemoryUtil.putLong(at + TransformAbi.TRANSFORM_ARGS_OUTPUTS, base + layout.outputs[pass]);
        MemoryUtil.putLong(at + TransformAbi.TRANSFORM_ARGS_STATUS, base);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_HEAD_OFFSET, image.head());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_HEAD_BYTES, image.headBytes());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_PARTS_OFFSET, image.parts());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_PACKED_OFFSET, image.packed());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_LITERALS_OFFSET, image.literals());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_TEXT_OFFSET, image.text());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_AUTOMATA_OFFSET, image.automata());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_UPPER_OFFSET, image.upper());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_LOWER_OFFSET, image.lower());
        MemoryUtil.putInt(
                at + TransformAbi.TRANSFORM_ARGS_INSTRUCTIONS, image.pass().instructions().size());
        MemoryUtil.putInt(
                at + TransformAbi.TRANSFORM_ARGS_TEXT_COLUMNS, image.columns().textColumns());
        MemoryUtil.putInt(
                at + TransformAbi.TRANSFORM_ARGS_OUTPUTS_COUNT, image.pass().outputs().size());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_PASS, pass);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_ROWS, input.rows());
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SEPARATOR_BYTES, input.separatorBytes());
        writeShape(at, shapes[pass]);
        writeEarlyOffsets(at, image.columns());
    }

    private void writeEarlyOffsets(long at, PassColumns read) {
        for (int i = 0; i < TransformAbi.EARLY_COLUMNS; i++) {
            boolean exists = i < read.textColumns();
            long offsets = exists ? base + layout.offsets[read.columns().get(i)] : 0;
            MemoryUtil.putLong(at + TransformAbi.TRANSFORM_ARGS_EARLY_OFFSETS + 8L * i, offsets);
        }
    }

    private static void writeShape(long at, TransformShape shape) {
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_ITEM_SHIFT, shape.itemShift);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_WINDOW_BYTES, shape.windowBytes);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_STAGE_BYTES, shape.stageBytes);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_NUMBERS, shape.numbers);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_NULLS, shape.nulls);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_CONDITIONS, shape.conditions);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_OUTPUTS, shape.outputs);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_COLUMNS, shape.columns);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_WINDOW, shape.window);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_SLOTS, shape.slots);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_STAGE, shape.stage);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_LENGTHS, shape.lengths);
        MemoryUtil.putInt(at + TransformAbi.TRANSFORM_ARGS_SHARED_BYTES, shape.totalBytes);
    }
}
