package io.flinkgpu.sql.aggregate;

import io.flinkgpu.Backends;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;
import io.flinkgpu.operator.BatchOperatorFactory;
import io.flinkgpu.operator.lines.LinePartials;
import io.flinkgpu.operator.lines.LinePartialsSpec;
import io.flinkgpu.operator.lines.LineReading;

import org.apache.flink.annotation.Internal;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;

import java.util.ArrayList;
import java.util.List;

/**
 * The local half of windows of lines that are parsed and aggregated whole batches at a time: no row is made of a line.
 *
 * @param aggregation whose key is one text, and whose last accumulator is the slice
 * @param format of the lines
 * @param malformed what becomes of lines of another format
 * @param key the key's field of the format
 * @param fields for each column of the aggregation the field whose values it has; one that is never null counts rows
 * @param time the field of event time
 * @param behindMillis how far watermarks are behind the greatest time
 * @param sliceMillis how long a slice is
 * @param offsetMillis where slices begin, 0 to {@code sliceMillis - 1}
 */
@Internal
public record LinesAggregation(
        LocalAggregation aggregation,
        Delimited format,
        Malformed malformed,
        int key,
        List<Integer> fields,
        int time,
        long behindMillis,
        long sliceMillis,
        long offsetMillis)
        implements LinePartials.Factory<RowData> {

    private static final long serialVersionUID = 1L;

    /** A watermark of this library is a millisecond behind that of Flink's SQL. */
    private static final long MORE_BEHIND = 1;

    private static final long MAX_BYTES = 64L << 20;

    public LinesAggregation {
        fields = List.copyOf(fields);
    }

    /** Whether a GPU has room for the numbers of these fields. */
    public static boolean areForGpu(List<Integer> fields) {
        return LinePlan.numbers(fields).size() <= LinePlan.MAX_GPU_NUMBERS;
    }

    /** Operators on the options' backend; a batch that a GPU has no memory for runs on the CPU. */
    public OneInputStreamOperatorFactory<Lines, RowData> operators(GpuOptions options) {
        LineReading reading =
                LineReading.of(format)
                        .withMalformed(malformed)
                        .withTime(time, behindMillis - MORE_BEHIND);
        LinePlan plan =
                new LinePlan(
                        format,
                        key,
                        new TimeSlices(time, sliceMillis, offsetMillis),
                        fields,
                        specs());
        return new BatchOperatorFactory<>(
                new LinePartialsSpec<>(reading, plan, this),
                options,
                Backends.of(options),
                CpuBackend::open);
    }

    /** What is kept of each column, with the types that lines have. */
    List<ValueSpec> specs() {
        List<ValueSpec> specs = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            specs.add(
                    new ValueSpec(
                            "",
                            format.fields().get(fields.get(i)).valueType(),
                            aggregation.columns().get(i).aggregates()));
        }
        return specs;
    }

    @Override
    public LinePartials open(Output<StreamRecord<RowData>> output) {
        return new SlicedLines(this, output);
    }

    @Override
    public long maxBytes() {
        return MAX_BYTES;
    }
}
