package io.flinkgpu.operator;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.metrics.Metric;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

import java.util.List;

/** Flink's operator harness around an operator of batches. */
public class BatchHarness<IN, OUT> extends OneInputStreamOperatorTestHarness<IN, OUT> {

    private final OperatorEnvironment environment;

    public BatchHarness(
            OneInputStreamOperatorFactory<IN, OUT> factory,
            TypeSerializer<IN> in,
            TypeSerializer<OUT> out,
            OperatorEnvironment environment)
            throws Exception {
        super(factory, in, environment.environment());
        this.environment = environment;
        setup(out);
    }

    /** A metric by its name behind the operator's scope, for example {@code gpu.batchRows}. */
    public Metric metric(String name) {
        return environment.metric(name);
    }

    public long counter(String name) {
        return environment.counter(name);
    }

    public long flushes(FlushReason reason) {
        return environment.flushes(reason);
    }

    public Object gauge(String name) {
        return environment.gauge(name);
    }

    /** What came out: records as their values, and marks. */
    public List<Object> output() {
        return Harnesses.output(this);
    }

    /** Runs the mails there are, as an idle task does. */
    public void runMails() throws Exception {
        Harnesses.runMails(this);
    }

    /** Waits for a mail and runs it. */
    public void runNextMail() throws Exception {
        getTaskMailbox().take(0).run();
    }

    /** Closes the operator without an end of its input, as a cancelled task does. */
    @Override
    public void close() {
        Harnesses.cancel(this);
    }
}
