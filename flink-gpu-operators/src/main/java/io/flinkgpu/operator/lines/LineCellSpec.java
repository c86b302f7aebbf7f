package io.flinkgpu.operator.lines;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.BatchContext;
import io.flinkgpu.operator.BatchEngine;
import io.flinkgpu.operator.BatchFunction;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.operator.window.local.BlockOutput;
import io.flinkgpu.operator.window.local.ReductionMonitor;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.types.Row;

import java.util.List;
import java.util.Objects;

/**
 * Parses lines and adds them to groups that keep cells or count texts, on the host whatever the backend:
 * none is opened.
 *
 * @param keyField the field that lines are grouped by
 * @param fields those of a row's columns, as {@link io.flinkgpu.cells.RowCells} lays them out: of the
 *     values, then of the other columns
 * @param values what is computed
 * @param shape of event time, where the reading has a time; or one window for all time
 * @param maxHeldBytes what groups that wait to be sent may take off the heap, besides the options' limit
 * @param sampleLines how many lines are grouped before it is decided whether that pays
 */
@Internal
public record LineCellSpec(
        LineReading reading,
        int keyField,
        List<Integer> fields,
        List<ValueSpec> values,
        WindowShape shape,
        long maxHeldBytes,
        int sampleLines)
        implements BatchSpec<Lines, WindowInput<String, Row>, ParsedLines> {

    private static final long serialVersionUID = 1L;

    public LineCellSpec {
        Objects.requireNonNull(reading, "reading");
        Objects.requireNonNull(shape, "shape");
        fields = List.copyOf(fields);
        values = List.copyOf(values);
    }

    /** With the limits of {@link LineAggregateSpec}. */
    public static LineCellSpec of(
            LineReading reading,
            int keyField,
            List<Integer> fields,
            List<ValueSpec> values,
            WindowShape shape) {
        return new LineCellSpec(
                reading,
                keyField,
                fields,
                values,
                shape,
                LineAggregateSpec.MAX_HELD_BYTES,
                ReductionMonitor.SAMPLE_ROWS);
    }

    @Override
    public long tableBytes(GpuOptions options) {
        return maxHeldBytes + options.memoryLimitBytes();
    }

    @Override
    public BatchFunction<Lines, ParsedLines> open(
            BatchEngine<Lines, ParsedLines> engine,
            BatchContext<Lines, WindowInput<String, Row>> context) {
        LineMetrics metrics = new LineMetrics(context.metrics(), context.runtime());
        HostLines host =
                new HostLines(reading, context.output(), metrics, context.options().errorValues());
        return new LineCellAggregator(
                engine,
                this,
                host,
                new LineByLine(host, metrics, FileReports.of(context.metrics())),
                context.output(),
                BlockOutput.of(values, KeyCodec.of(StringSerializer.INSTANCE), context),
                metrics);
    }
}
