package io.flinkgpu.operator.lines;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.lines.LineMapper;
import io.flinkgpu.files.FileReports;

import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.IOUtils;

/**
 * Makes a record of each line, in the order they come. Where lines have times these are the records'
 * timestamps, and the operator makes the watermarks, after each chunk or range; those of the source mean
 * nothing then but the last. All methods are the task thread's.
 */
final class LineRecordsOperator<T> extends AbstractStreamOperator<T>
        implements OneInputStreamOperator<Lines, T> {

    private static final long serialVersionUID = 1L;

    private final transient LineReading reading;
    private final transient LineMapper<T> mapper;
    private final transient ErrorValues errors;
    private transient LineByLine lines;
    private transient HostLines host;
    private transient LineClock clock;
    private transient StreamRecord<T> reused;

    private transient OwnWatermarks watermarks;

    LineRecordsOperator(
            StreamOperatorParameters<T> parameters,
            LineReading reading,
            LineMapper<T> mapper,
            ErrorValues errors) {
        // setup() reads the time service, so it must be there before.
        this.processingTimeService = parameters.getProcessingTimeService();
        setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
        this.reading = reading;
        this.mapper = mapper;
        this.errors = errors;
    }

    @Override
    public void open() throws Exception {
        super.open();
        LineMetrics metrics = new LineMetrics(getMetricGroup(), getRuntimeContext());
        host = new HostLines(reading, output, metrics, errors);
        lines = new LineByLine(host, metrics, FileReports.of(getMetricGroup()));
        clock = new LineClock(reading.maxOutOfOrdernessMillis());
        watermarks = new OwnWatermarks(output);
        reused = new StreamRecord<>(null);
    }

    @Override
    public void processElement(StreamRecord<Lines> element) throws Exception {
        reused.eraseTimestamp();
        if (!reading.hasTime() && element.hasTimestamp()) {
            reused.setTimestamp(element.getTimestamp());
        }
        lines.read(element.getValue(), this::emit);
        if (reading.hasTime() && clock.advance()) {
            watermarks.emit(new Watermark(clock.watermark()));
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (!reading.hasTime() || mark.equals(Watermark.MAX_WATERMARK)) {
            watermarks.emit(mark);
        }
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        watermarks.status(status);
        super.processWatermarkStatus(status);
    }

    @Override
    public void close() throws Exception {
        IOUtils.closeAll(lines, super::close);
    }

    private void emit() {
        if (reading.hasTime()) {
            clock.saw(host.timestamp());
            reused.setTimestamp(host.timestamp());
        }
        T record = mapper.map(host.fields());
        if (record != null) {
            output.collect(reused.replace(record));
        }
    }
}
