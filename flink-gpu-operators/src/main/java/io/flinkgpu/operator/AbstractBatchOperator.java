package io.flinkgpu.operator;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.IOUtils;

/**
 * Hands what Flink says to an operator on to a {@link BatchEngine} and to a verb's {@link BatchFunction}. No
 * batch is open or on its way when a checkpoint barrier passes and when the input ends.
 *
 * @param <IN> what goes into batches
 * @param <OUT> what goes out
 * @param <R> result of a batch
 */
abstract class AbstractBatchOperator<IN, OUT, R extends AutoCloseable>
        extends AbstractStreamOperator<OUT> {

    private static final long serialVersionUID = 1L;

    final transient BatchEngine<IN, R> engine;

    final transient BatchJob<IN, OUT, R> job;
    private transient BatchFunction<IN, R> function;

    AbstractBatchOperator(StreamOperatorParameters<OUT> parameters, BatchJob<IN, OUT, R> job) {
        // setup() reads the time service, so it must be there before.
        this.processingTimeService = parameters.getProcessingTimeService();
        setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
        this.engine = new BatchEngine<>(parameters.getMailboxExecutor(), processingTimeService);
        this.job = job;
    }

    @Override
    public void open() throws Exception {
        super.open();
        OffHeapBudget.OF_PROCESS.check(
                getRuntimeContext(),
                job.options().memoryLimitBytes(),
                job.spec().tableBytes(job.options()));
        TypeSerializer<IN> copier =
                sharesRecords()
                        ? getOperatorConfig().getTypeSerializerIn(0, getUserCodeClassloader())
                        : null;
        function =
                spec().open(
                                engine,
                                new BatchContext<>(
                                        getRuntimeContext(),
                                        output,
                                        job.options(),
                                        job.backend(),
                                        job.fallback(),
                                        copier,
                                        DownstreamKeyGroups.of(this),
                                        getContainingTask().getEnvironment().getJobType()
                                                == JobType.BATCH));
        engine.start(function);
    }

    /** Whether a record may change after it was processed, as it is of the operator before as well. */
    boolean sharesRecords() {
        return getExecutionConfig().isObjectReuseEnabled();
    }

    /** What the operator does, as it is known when it opens. */
    protected BatchSpec<IN, OUT, R> spec() {
        return job.spec();
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        function.watermark(mark, () -> super.processWatermark(mark));
    }

    @Override
    public void processWatermark(WatermarkEvent watermark) throws Exception {
        inOrder(() -> super.processWatermark(watermark));
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        function.status(status, () -> super.processWatermarkStatus(status));
    }

    @Override
    public void processLatencyMarker(LatencyMarker marker) throws Exception {
        inOrder(() -> super.processLatencyMarker(marker));
    }

    @Override
    public void processRecordAttributes(RecordAttributes attributes) throws Exception {
        inOrder(() -> super.processRecordAttributes(attributes));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        engine.drain(FlushReason.CHECKPOINT);
        function.barrier(checkpointId);
        super.prepareSnapshotPreBarrier(checkpointId);
    }

    @Override
    public void finish() throws Exception {
        engine.drain(FlushReason.END_OF_INPUT);
        super.finish();
    }

    /** Emits nothing; gives all memory back, also after a failed {@link #open()}. */
    @Override
    public void close() throws Exception {
        IOUtils.closeAll(engine::close, super::close);
    }

    /** Passes a mark on at its place among the records. */
    final void inOrder(Mark mark) throws Exception {
        function.mark(mark);
    }

    /** Takes a record that goes into a batch, unless it needs none. */
    protected final void process(StreamRecord<IN> element) throws Exception {
        if (!function.processAlone(element)) {
            engine.add(element);
        }
    }
}
