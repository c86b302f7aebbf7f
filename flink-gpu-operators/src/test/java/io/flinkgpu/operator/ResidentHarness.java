package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.TablePlan;

import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

import java.time.Duration;
import java.util.List;

/** Flink's operator harness around lookups in a table that changes. */
final class ResidentHarness extends AbstractStreamOperatorTestHarness<String> {

    private static final TablePlan TABLE = new TablePlan("table", 100, 1_000);

    static final int MAX_PARALLELISM = 8;

    static final BatchPolicy NEVER_FULL = new BatchPolicy(1 << 16, 1 << 20, Duration.ofMinutes(10));

    private ResidentHarness(BatchPolicy policy, Script script, int tasks, int task)
            throws Exception {
        super(
                new ResidentOperatorFactory<>(
                        new TableLookups(TABLE),
                        new TableLookups.Changes(),
                        GpuOptions.DEFAULT.withBatchPolicy(policy),
                        request -> ScriptedBackend.openCpu(request, script),
                        CpuBackend::open),
                MAX_PARALLELISM,
                tasks,
                task);
        config.setupNetworkInputs(StringSerializer.INSTANCE, StringSerializer.INSTANCE);
        config.serializeAllConfigs();
        setup(StringSerializer.INSTANCE);
    }

    static ResidentHarness open(BatchPolicy policy, Script script) throws Exception {
        ResidentHarness harness = new ResidentHarness(policy, script, 1, 0);
        harness.open();
        return harness;
    }

    /** A subtask with state of others. */
    static ResidentHarness restored(OperatorSubtaskState state, int oldTasks, int tasks, int task)
            throws Exception {
        ResidentHarness harness =
                new ResidentHarness(NEVER_FULL.withMaxRows(2), Script.NONE, tasks, task);
        harness.initializeState(
                repartitionOperatorState(state, MAX_PARALLELISM, oldTasks, tasks, task));
        harness.open();
        return harness;
    }

    void look(String key, long timestamp) throws Exception {
        operator().processElement1(new StreamRecord<>(key, timestamp));
    }

    void change(String... changes) throws Exception {
        for (String change : changes) {
            operator().processElement2(new StreamRecord<>(change));
        }
    }

    @SuppressWarnings("unchecked") // What the factory makes.
    TwoInputStreamOperator<String, String, String> operator() {
        return (TwoInputStreamOperator<String, String, String>) getOperator();
    }

    /** All mails there are run, as in an idle task. */
    void runMails() throws Exception {
        Harnesses.runMails(this);
    }

    /** What came out: records as their values, and marks. */
    List<Object> output() {
        return Harnesses.output(this);
    }

    /** Closes the operator without an end of its input, as a cancelled task does. */
    @Override
    public void close() {
        Harnesses.cancel(this);
    }
}
