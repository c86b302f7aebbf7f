package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.exact.SquareGrid;
import io.flinkgpu.words.WordLayout;

import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/**
 * What the line kernels are told of a plan once: its fields and values, and which words a group's record
 * has. Pure: calls no driver.
 */
final class LinesFields {

    /** What stands for no number and no field. */
    static final int NONE = -1;

    private final LinePlan plan;

    /** The fields whose values are kept, each once. */
    private final List<Integer> numbers;

    private final int[] firstWords;
    private final int recordWords;

    /**
     * @throws BackendException if more fields are aggregated than a thread has room for
     */
    LinesFields(LinePlan plan) throws BackendException {
        this.plan = plan;
        numbers = LinePlan.numbers(plan.valueFields());
        if (numbers.size() > LinesAbi.LINES_MAX_NUMBERS) {
            throw new BackendException(
                    "too many fields of a line are aggregated for a GPU: fields="
                            + numbers.size()
                            + ", at most="
                            + LinesAbi.LINES_MAX_NUMBERS
                            + "; use the CPU backend");
        }
        firstWords = new int[plan.values().size()];
        int next = LinesAbi.RECORD_FIRST_VALUE + (plan.time() == null ? 0 : 1);
        for (int i = 0; i < firstWords.length; i++) {
            ValueSpec value = plan.values().get(i);
            firstWords[i] = next;
            next += 1 + (value.needsMinMax() ? 2 : 0) + bins(value);
        }
        recordWords = next;
    }

    /** The 64-bit words that a group takes in a table. */
    int recordWords() {
        return recordWords;
    }

    int fields() {
        return plan.format().fields().size();
    }

    int values() {
        return firstWords.length;
    }

    /** Where the values' structs are, behind those of the fields. */
    long valuesOffset() {
        return (long) LinesAbi.LINE_FIELD_BYTES * fields();
    }

    /** Bytes of all structs. */
    long totalBytes() {
        return valuesOffset() + (long) LinesAbi.LINE_VALUE_BYTES * values();
    }

    /** Writes the {@code line_field} structs, then the {@code line_value} structs. */
    void write(long address) {
        for (int i = 0; i < fields(); i++) {
            Field field = plan.format().fields().get(i);
            ColumnType type = field.type() == null ? ColumnType.LONG : field.type();
            long at = address + (long) LinesAbi.LINE_FIELD_BYTES * i;
            MemoryUtil.putInt(at + LinesAbi.LINE_FIELD_TYPE, field.format().ordinal());
            MemoryUtil.putInt(at + LinesAbi.LINE_FIELD_NUMBER, numbers.indexOf(i));
            MemoryUtil.putInt(
                    at + LinesAbi.LINE_FIELD_WHOLE_DIGITS, type.precision() - type.scale());
            MemoryUtil.putInt(at + LinesAbi.LINE_FIELD_SCALE, type.scale());
        }
        for (int i = 0; i < values(); i++) {
            ValueSpec value = plan.values().get(i);
            long at = address + valuesOffset() + (long) LinesAbi.LINE_VALUE_BYTES * i;
            int number = numbers.indexOf(plan.valueFields().get(i));
            MemoryUtil.putInt(at + LinesAbi.LINE_VALUE_NUMBER, number);
            MemoryUtil.putInt(at + LinesAbi.LINE_VALUE_FLOATING, value.type().isFloating() ? 1 : 0);
            MemoryUtil.putInt(at + LinesAbi.LINE_VALUE_MIN_MAX, value.needsMinMax() ? 1 : 0);
            MemoryUtil.putInt(at + LinesAbi.LINE_VALUE_SUMMED, value.needsSum() ? 1 : 0);
            MemoryUtil.putInt(at + LinesAbi.LINE_VALUE_FIRST_WORD, firstWords[i]);
            MemoryUtil.putInt(at + LinesAbi.LINE_VALUE_SQUARED, value.needsSquares() ? 1 : 0);
        }
    }

    private static int bins(ValueSpec value) {
        if (!value.needsSum()) {
            return 0;
        }
        int bins = value.type().isFloating() ? LinesAbi.LINES_DOUBLE_BINS : WordLayout.INTEGER_BINS;
        return value.needsSquares() ? (1 + SquareGrid.BINS_PER_BIN) * bins : bins;
    }
}
