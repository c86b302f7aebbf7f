package io.flinkgpu.operator;

import io.flinkgpu.api.GpuOptions;

import org.apache.flink.annotation.Internal;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * A batch operator with a second input, of changes of what is resident. Watermarks and other marks of both
 * inputs are combined as Flink does, and what comes of it keeps its place among the records.
 *
 * @param <IN> what goes into batches
 * @param <C> a change
 * @param <R> result of a batch
 */
@Internal
public abstract class TwoInputBatchOperator<IN, C, OUT, R extends AutoCloseable>
        extends AbstractBatchOperator<IN, OUT, R>
        implements TwoInputStreamOperator<IN, C, OUT>, BoundedMultiInput {

    private static final long serialVersionUID = 1L;

    /**
     * @param job what it does, and on what
     */
    protected TwoInputBatchOperator(
            StreamOperatorParameters<OUT> parameters, BatchJob<IN, OUT, R> job) {
        super(parameters, job);
    }

    /** Never: Flink chains what has two inputs to none of them, so that each record is read from the network. */
    @Override
    final boolean sharesRecords() {
        return false;
    }

    /** Runs the batches. */
    protected final BatchEngine<IN, R> engine() {
        return engine;
    }

    /** Those of the operator. */
    protected final GpuOptions options() {
        return job.options();
    }

    @Override
    public void endInput(int inputId) throws Exception {
        if (inputId == 1) {
            engine.drain(FlushReason.END_OF_INPUT);
        }
    }

    /** Combines both inputs' as Flink does, and keeps the place of what comes of it. */
    @Override
    protected void processWatermarkStatus(WatermarkStatus status, int index) throws Exception {
        boolean wasIdle = combinedWatermark.isIdle();
        if (combinedWatermark.updateStatus(index, status.isIdle())) {
            processWatermark(new Watermark(combinedWatermark.getCombinedWatermark()));
        }
        if (wasIdle != combinedWatermark.isIdle()) {
            processWatermarkStatus(status);
        }
    }

    @Override
    public void processWatermark1(WatermarkEvent watermark) throws Exception {
        processWatermark(watermark);
    }

    @Override
    public void processWatermark2(WatermarkEvent watermark) throws Exception {
        processWatermark(watermark);
    }

    @Override
    public void processLatencyMarker1(LatencyMarker marker) throws Exception {
        processLatencyMarker(marker);
    }

    @Override
    public void processLatencyMarker2(LatencyMarker marker) throws Exception {
        processLatencyMarker(marker);
    }

    @Override
    public void processRecordAttributes1(RecordAttributes attributes) {
        combineInOrder(() -> super.processRecordAttributes1(attributes));
    }

    @Override
    public void processRecordAttributes2(RecordAttributes attributes) {
        combineInOrder(() -> super.processRecordAttributes2(attributes));
    }

    private void combineInOrder(Mark attributes) {
        try {
            inOrder(attributes);
        } catch (Exception e) {
            throw new FlinkRuntimeException(e);
        }
    }
}
