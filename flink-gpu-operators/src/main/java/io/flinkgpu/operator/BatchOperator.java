package io.flinkgpu.operator;

import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * An operator of one input that works in batches. It has no state. On a keyed stream the output is not keyed
 * any more, as with any Flink map: no key context is kept for the batches' records, since nothing here uses
 * keyed state and whatever follows takes its keys from the records.
 */
final class BatchOperator<IN, OUT, R extends AutoCloseable>
        extends AbstractBatchOperator<IN, OUT, R>
        implements OneInputStreamOperator<IN, OUT>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    BatchOperator(StreamOperatorParameters<OUT> parameters, BatchJob<IN, OUT, R> job) {
        super(parameters, job);
    }

    @Override
    public void processElement(StreamRecord<IN> element) throws Exception {
        process(element);
    }

    @Override
    public void endInput() throws Exception {
        engine.drain(FlushReason.END_OF_INPUT);
    }
}
