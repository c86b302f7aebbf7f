package io.flinkgpu.sql.planner;

import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.sql.aggregate.AggregatedColumn;
import io.flinkgpu.sql.aggregate.LinesAggregation;
import io.flinkgpu.sql.aggregate.LocalAggregation;
import io.flinkgpu.sql.connector.ReadLines;

import org.apache.flink.table.planner.plan.abilities.source.SourceAbilitySpec;
import org.apache.flink.table.planner.plan.abilities.source.WatermarkPushDownSpec;
import org.apache.flink.table.planner.plan.logical.CumulativeWindowSpec;
import org.apache.flink.table.planner.plan.logical.HoppingWindowSpec;
import org.apache.flink.table.planner.plan.logical.TimeAttributeWindowingStrategy;
import org.apache.flink.table.planner.plan.logical.TumblingWindowSpec;
import org.apache.flink.table.planner.plan.logical.WindowSpec;
import org.apache.flink.table.planner.plan.logical.WindowingStrategy;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.stream.StreamExecTableSourceScan;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.watermark.WatermarkParams;

import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Finds local windows over a table of lines that the library aggregates whole batches of lines at a time: by one text,
 * of numbers of lines, with a time without zone and watermarks that are a constant behind it.
 */
final class LineWindows {

    private final ReadLines lines;
    private final StreamExecTableSourceScan scan;
    private final int[] scanned;

    private LineWindows(ReadLines lines, StreamExecTableSourceScan scan, int[] scanned) {
        this.lines = lines;
        this.scan = scan;
        this.scanned = scanned;
    }

    /**
     * The windows after a scan.
     *
     * @param passing what is between, from the windows on
     * @return nothing if that does more than to put columns in another order
     */
    static Optional<LineWindows> of(
            ReadLines lines, StreamExecTableSourceScan scan, List<ExecNode<?>> passing) {
        int[] columns = null;
        for (ExecNode<?> node : passing) {
            int[] inputs = PassedCalc.columns(node);
            if (inputs == null) {
                return Optional.empty();
            }
            columns =
                    columns == null
                            ? inputs
                            : Arrays.stream(columns).map(column -> inputs[column]).toArray();
        }
        return Optional.of(
                new LineWindows(
                        lines,
                        scan,
                        columns == null
                                ? IntStream.range(0, lines.columns().size()).toArray()
                                : columns));
    }

    /** How lines are aggregated; nothing if they are not to be. */
    Optional<LinesAggregation> aggregation(
            int[] grouping, WindowingStrategy windowing, LocalAggregation aggregation) {
        if (grouping.length != 1
                || field(grouping[0]).format() != FieldFormat.STRING
                || aggregation.columns().isEmpty()
                || !windowing.isRowtime()
                || !(windowing instanceof TimeAttributeWindowingStrategy attribute)
                || !windowing
                        .getTimeAttributeType()
                        .is(LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE)) {
            return Optional.empty();
        }
        int time = attribute.getTimeAttributeIndex();
        Optional<List<Integer>> fields = fields(aggregation, time);
        OptionalLong behind = behindMillis(time);
        Duration slice = slice(windowing.getWindow());
        if (fields.isEmpty() || behind.isEmpty() || slice == null) {
            return Optional.empty();
        }
        return Optional.of(
                new LinesAggregation(
                        aggregation,
                        lines.format(),
                        lines.malformed(),
                        index(grouping[0]),
                        fields.get(),
                        index(time),
                        behind.getAsLong(),
                        slice.toMillis(),
                        Math.floorMod(offsetMillis(windowing.getWindow()), slice.toMillis())));
    }

    private Field field(int column) {
        return lines.format().fields().get(index(column));
    }

    /** Which field of the format a column of the windows' input is. */
    private int index(int column) {
        return lines.columns().get(scanned[column]);
    }

    /**
     * The fields of the columns; of rows that are counted the time, which is never null. Nothing if a GPU could not
     * take so many.
     */
    private Optional<List<Integer>> fields(LocalAggregation aggregation, int time) {
        List<Integer> fields = new ArrayList<>();
        for (AggregatedColumn column : aggregation.columns()) {
            boolean isRow =
                    column.column() == AggregatedColumn.NONE
                            || field(column.column()).format() == FieldFormat.STRING;
            int read = isRow ? time : column.column();
            if (column.filter() != AggregatedColumn.NONE || !field(read).isNumber()) {
                return Optional.empty();
            }
            fields.add(index(read));
        }
        return LinesAggregation.areForGpu(fields) ? Optional.of(fields) : Optional.empty();
    }

    /** How far watermarks are behind the time; nothing if they are anything else, or made line by line. */
    private OptionalLong behindMillis(int time) {
        for (SourceAbilitySpec ability : scan.getTableSourceSpec().getSourceAbilities()) {
            if (ability instanceof WatermarkPushDownSpec watermarks && isOfBatches(watermarks)) {
                return behindMillis(watermarks, time);
            }
        }
        return OptionalLong.empty();
    }

    private static boolean isOfBatches(WatermarkPushDownSpec watermarks) {
        long idleMillis =
                FlinkFields.get(
                        watermarks,
                        WatermarkPushDownSpec.class,
                        "globalIdleTimeoutMillis",
                        Long.class);
        WatermarkParams params =
                FlinkFields.get(
                        watermarks,
                        WatermarkPushDownSpec.class,
                        "watermarkParams",
                        WatermarkParams.class);
        return idleMillis <= 0
                && (params == null
                        || params.getEmitStrategy().isOnPeriodic()
                                && !params.alignWatermarkEnabled()
                                && params.getSourceIdleTimeout() <= 0);
    }

    private OptionalLong behindMillis(WatermarkPushDownSpec watermarks, int time) {
        RexNode made = watermarks.getWatermarkExpr();
        long behind = 0;
        if (made.getKind() == SqlKind.MINUS
                && made instanceof RexCall minus
                && minus.getOperands().get(1) instanceof RexLiteral interval
                && SqlTypeFamily.INTERVAL_DAY_TIME.contains(interval.getType())
                && !interval.isNull()) {
            made = minus.getOperands().get(0);
            behind = interval.getValueAs(BigDecimal.class).longValueExact();
        }
        RowType read = watermarks.getProducedType().orElseThrow();
        String name = ((RowType) scan.getOutputType()).getFieldNames().get(scanned[time]);
        return behind >= 0
                        && made instanceof RexInputRef column
                        && read.getFieldNames().get(column.getIndex()).equals(name)
                ? OptionalLong.of(behind)
                : OptionalLong.empty();
    }

    private static Duration slice(WindowSpec window) {
        if (window instanceof TumblingWindowSpec tumbling) {
            return tumbling.getSize();
        }
        if (window instanceof HoppingWindowSpec hopping) {
            return Duration.ofMillis(
                    BigInteger.valueOf(hopping.getSize().toMillis())
                            .gcd(BigInteger.valueOf(hopping.getSlide().toMillis()))
                            .longValueExact());
        }
        return window instanceof CumulativeWindowSpec cumulative ? cumulative.getStep() : null;
    }

    private static long offsetMillis(WindowSpec window) {
        Duration offset = null;
        if (window instanceof TumblingWindowSpec tumbling) {
            offset = tumbling.getOffset();
        } else if (window instanceof HoppingWindowSpec hopping) {
            offset = hopping.getOffset();
        } else if (window instanceof CumulativeWindowSpec cumulative) {
            offset = cumulative.getOffset();
        }
        return offset == null ? 0 : offset.toMillis();
    }
}
