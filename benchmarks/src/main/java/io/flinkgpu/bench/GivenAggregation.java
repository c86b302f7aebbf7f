package io.flinkgpu.bench;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.operator.lines.LineAggregateSpec;
import io.flinkgpu.operator.lines.LineReading;
import io.flinkgpu.operator.window.StateKeys;
import io.flinkgpu.operator.window.WindowPlan;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.WindowTrigger;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.types.Row;

import java.util.List;

/**
 * What {@link MadeUpGroups} are of: lines of a text key and of one decimal whose minimum, mean, maximum and count are
 * asked for, as in {@code KeysBench lines}.
 */
public final class GivenAggregation {

    public static final LineReading READING =
            LineReading.of(Delimited.of(';').string("key").decimal("value", 1));
    public static final Aggregates<Row> AGGREGATES =
            Aggregates.of(
                            (ValueGetter<Row, Object>) row -> row.getField("value"),
                            ColumnType.decimal(18, 1))
                    .min()
                    .mean()
                    .max()
                    .count();

    private static final WindowShape SHAPE =
            WindowShape.of(GlobalWindows.createWithEndOfStreamTrigger());

    private GivenAggregation() {}

    /** The local aggregation. */
    public static LineAggregateSpec spec() {
        return LineAggregateSpec.of(READING, 0, List.of(1), AGGREGATES.specs(), SHAPE);
    }

    /** The windows, which give 1, the count, the minimum and the maximum. */
    public static WindowPlan<Row, String, String, long[]> plan(long stateMemoryBytes) {
        return new WindowPlan<>(
                GlobalWindows.createWithEndOfStreamTrigger(),
                SHAPE,
                WindowTrigger.of(GlobalWindows.createWithEndOfStreamTrigger()),
                AGGREGATES,
                StateKeys.unchanged(Types.STRING),
                0,
                stateMemoryBytes,
                false,
                null,
                result ->
                        new long[] {
                            1,
                            result.values().getLong(3),
                            result.values().getDecimal(0).unscaledValue().longValue(),
                            result.values().getDecimal(2).unscaledValue().longValue()
                        },
                ErrorValues.of(ErrorDetail.FULL));
    }
}
