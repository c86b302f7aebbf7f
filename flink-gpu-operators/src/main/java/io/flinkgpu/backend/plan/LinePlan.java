package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.SampleBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Lines that are parsed and at once aggregated: what is read of a line, by what lines are grouped, and
 * what is kept of each group.
 *
 * <p>A batch has one column of byte strings, of which each row is whole lines: all end with {@code '\n'}
 * but the last of a row, which may lack it. A row may be empty.
 *
 * @param key the field that lines are grouped by; a string
 * @param time what cuts groups into slices; null for one slice, {@link TimeSlices#NONE}
 * @param valueFields the numbers' fields
 * @param values what is computed of each of them; at least one
 * @param holdsGroups whether a compiled program may hold groups from batch to batch, which needs one
 *     slice. The result of a batch then has all groups of the batch or none of them. Those that are held
 *     are given out, some at a time, with batches without rows: all, once one of these comes without
 *     groups. A program that is closed gives out nothing more
 * @param holders programs of a process whose plans are the same, this included, may hold their groups
 *     together, and each of them give out those of all; null if each holds its own
 */
@Internal
public record LinePlan(
        Delimited format,
        int key,
        TimeSlices time,
        List<Integer> valueFields,
        List<ValueSpec> values,
        boolean holdsGroups,
        String holders)
        implements Plan<LineGroups> {

    private static final long serialVersionUID = 1L;

    /** The column of a batch. */
    public static final int LINES_COLUMN = 0;

    /** How many fields a GPU can take numbers of: each of its threads has room for one line's. */
    public static final int MAX_GPU_NUMBERS = 32;

    /** One whose results have the groups of their batches. */
    public LinePlan(
            Delimited format,
            int key,
            TimeSlices time,
            List<Integer> valueFields,
            List<ValueSpec> values) {
        this(format, key, time, valueFields, values, false, null);
    }

    public LinePlan {
        valueFields = List.copyOf(valueFields);
        values = List.copyOf(values);
        List<Field> fields = format.fields();
        check(key < fields.size() && fields.get(key).format() == FieldFormat.STRING, "key", key);
        check(time == null || fields.get(time.field()).isTimestamp(), "time", time);
        check(values.size() == valueFields.size() && !values.isEmpty(), "values", values);
        for (int i = 0; i < values.size(); i++) {
            ColumnType type = fields.get(valueFields.get(i)).valueType();
            check(values.get(i).type().equals(type), "valueFields", valueFields);
        }
        if (holdsGroups && time != null) {
            throw new IllegalArgumentException(
                    "groups are held of lines without a time only, which are never late: time="
                            + time
                            + "; leave out the time, or hold no groups");
        }
    }

    /** Fields of numbers, each once. */
    public static List<Integer> numbers(List<Integer> valueFields) {
        return valueFields.stream().distinct().toList();
    }

    /** The same, but its programs may hold groups. */
    public LinePlan holdingGroups() {
        return heldBy(null);
    }

    /** Likewise, together with other programs of these holders. */
    public LinePlan heldBy(String newHolders) {
        return new LinePlan(format, key, time, valueFields, values, true, newHolders);
    }

    private static void check(boolean isAsSaid, String name, Object value) {
        if (!isAsSaid) {
            throw new IllegalArgumentException(
                    "lines are grouped by a string, cut by a timestamp, and a value is a number of"
                            + " its field's type: "
                            + name
                            + "="
                            + value
                            + "; give the index of such a field, and a value for each");
        }
    }

    @Override
    public String name() {
        return "Aggregation of lines";
    }

    @Override
    public List<ColumnType> input() {
        return List.of(ColumnType.TEXT);
    }

    @Override
    public SampleBatch.Maker sample() {
        return Samples.lines(this);
    }

    @Override
    public String defectOf(LineGroups result, ColumnBatch batch) {
        long grouped = result.lines() - result.refused();
        int number = result.groups().groups() + result.ungrouped().size();
        boolean isOfBatch = grouped >= number && (grouped == 0) == (number == 0);
        if (isOfBatch || holdsGroups && grouped >= result.ungrouped().size()) {
            return null;
        }
        return "a group has at least one line, and each line is in one place: lines="
                + result.lines()
                + ", refused="
                + result.refused()
                + ", groups="
                + result.groups().groups()
                + ", ungrouped="
                + result.ungrouped().size();
    }

    @Override
    public boolean keepsOfBatches() {
        return holdsGroups;
    }

    @Override
    public LinePlan alone() {
        return new LinePlan(format, key, time, valueFields, values, holdsGroups, null);
    }

    @Override
    public String remedyForOneRow() {
        return "raise memoryLimitBytes, or read files in smaller chunks or ranges";
    }

    /** What a group keeps. */
    public AggregatePlan aggregates() {
        return new AggregatePlan(ColumnType.BYTES, values);
    }
}
