package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupBatchMapper;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.LookupResultSerializer;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.operator.Harnesses;
import io.flinkgpu.operator.OperatorEnvironment;
import io.flinkgpu.operator.RecordReader;

import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Flink's operator harness around a lookup; the records of requests are their numbers. */
final class LookupHarness extends AbstractStreamOperatorTestHarness<LookupResult<Integer>> {

    static final BatchPolicy NEVER_FULL = new BatchPolicy(1 << 12, 1 << 20, Duration.ofMinutes(10));

    private static final int MAX_PARALLELISM = 16;
    private static final long HOST_BYTES = 1 << 20;

    private final OperatorEnvironment environment;
    private final TableReader reader;
    private final Next next;

    /** What the request is of the record that is next. */
    private static final class Next implements ValueGetter<Integer, LookupRequest> {

        private static final long serialVersionUID = 1L;

        private transient LookupRequest request;

        @Override
        public LookupRequest get(Integer record) {
            return request;
        }
    }

    private LookupHarness(
            List<EmbeddingTable> tables,
            boolean eventTime,
            BatchPolicy policy,
            Scoring scoring,
            LookupOutput<Integer, LookupResult<Integer>> output,
            BackendFactory backend,
            OperatorEnvironment environment)
            throws Exception {
        this(tables, eventTime, policy, scoring, output, backend, environment, new Next());
    }

    private LookupHarness(
            List<EmbeddingTable> tables,
            boolean eventTime,
            BatchPolicy policy,
            Scoring scoring,
            LookupOutput<Integer, LookupResult<Integer>> output,
            BackendFactory backend,
            OperatorEnvironment environment,
            Next next)
            throws Exception {
        super(
                new LookupOperatorFactory<>(
                        new LookupSpec<>(
                                new EmbeddingPlan(
                                        new EmbeddingTablesPlan(tables, HOST_BYTES, 0, null)),
                                scoring,
                                output),
                        new LookupMode(eventTime, RebasePolicy.NEVER),
                        new RecordReader<>(
                                new RecordReader.Purpose("a lookup", "be looked up with"),
                                "requests",
                                new TableReader(tables, scoring).requests(next),
                                eventTime,
                                null,
                                ErrorValues.HIDDEN),
                        GpuOptions.DEFAULT.withBatchPolicy(policy),
                        backend),
                environment.environment());
        this.environment = environment;
        this.reader = new TableReader(tables, scoring);
        this.next = next;
        config.setupNetworkInputs(IntSerializer.INSTANCE, TableChangeSerializer.INSTANCE);
        config.serializeAllConfigs();
        setup(new LookupResultSerializer<>(IntSerializer.INSTANCE));
    }

    /** The only subtask, not open. */
    static LookupHarness of(List<EmbeddingTable> tables, boolean eventTime, BatchPolicy policy)
            throws Exception {
        return of(tables, eventTime, policy, 1, 0);
    }

    /** One of some subtasks, not open. */
    static LookupHarness of(
            List<EmbeddingTable> tables,
            boolean eventTime,
            BatchPolicy policy,
            int subtasks,
            int subtask)
            throws Exception {
        return new LookupHarness(
                tables,
                eventTime,
                policy,
                null,
                new ResultMapper<>(result -> result, ErrorValues.HIDDEN),
                CpuBackend::open,
                OperatorEnvironment.ofSubtask(MAX_PARALLELISM, subtasks, subtask));
    }

    /** Likewise, in the order of arrival, with a model. */
    static LookupHarness scoring(List<EmbeddingTable> tables, Scoring scoring) throws Exception {
        return new LookupHarness(
                tables,
                false,
                NEVER_FULL,
                scoring,
                new ResultMapper<>(result -> result, ErrorValues.HIDDEN),
                CpuBackend::open,
                OperatorEnvironment.ofSubtask(MAX_PARALLELISM, 1, 0));
    }

    /** The only subtask, not open, in the order of arrival, with batches that never are full. */
    static LookupHarness ofBatches(
            List<EmbeddingTable> tables, LookupBatchMapper<Integer, LookupResult<Integer>> mapper)
            throws Exception {
        return new LookupHarness(
                tables,
                false,
                NEVER_FULL,
                null,
                new BatchResultMapper<>(mapper, ErrorValues.HIDDEN),
                CpuBackend::open,
                OperatorEnvironment.ofSubtask(MAX_PARALLELISM, 1, 0));
    }

    /** The only subtask, not open, in the order of arrival, on the CPU with a script. */
    static LookupHarness scripted(List<EmbeddingTable> tables, BatchPolicy policy, Script script)
            throws Exception {
        return new LookupHarness(
                tables,
                false,
                policy,
                null,
                new ResultMapper<>(result -> result, ErrorValues.HIDDEN),
                request -> ScriptedBackend.openCpu(request, script),
                OperatorEnvironment.ofSubtask(MAX_PARALLELISM, 1, 0));
    }

    /** Opens it, with the state that it has its part of. */
    LookupHarness restored(OperatorSubtaskState state, int oldSubtasks) throws Exception {
        int subtasks = getEnvironment().getTaskInfo().getNumberOfParallelSubtasks();
        int subtask = getEnvironment().getTaskInfo().getIndexOfThisSubtask();
        initializeState(
                repartitionOperatorState(state, MAX_PARALLELISM, oldSubtasks, subtasks, subtask));
        open();
        return this;
    }

    void ask(int number, LookupRequest request, Long timestamp) throws Exception {
        next.request = request;
        operator().processElement1(record(number, timestamp));
    }

    void change(VectorChange change, Long timestamp) throws Exception {
        TableChange read = reader.<Integer>changes(record -> change).get(0);
        operator().processElement2(record(read, timestamp));
    }

    private static <T> StreamRecord<T> record(T value, Long timestamp) {
        return timestamp == null ? new StreamRecord<>(value) : new StreamRecord<>(value, timestamp);
    }

    /** Both inputs have come to a time. */
    void mark(long time) throws Exception {
        operator().processWatermark1(new Watermark(time));
        operator().processWatermark2(new Watermark(time));
    }

    /** No request comes any more; all results are there. */
    void end() throws Exception {
        ((BoundedMultiInput) operator()).endInput(1);
    }

    @SuppressWarnings("unchecked") // What the factory makes.
    TwoInputStreamOperator<Integer, TableChange, LookupResult<Integer>> operator() {
        return (TwoInputStreamOperator<Integer, TableChange, LookupResult<Integer>>) getOperator();
    }

    /** All mails there are run, as in an idle task. */
    void runMails() throws Exception {
        Harnesses.runMails(this);
    }

    /** A checkpoint. */
    OperatorSubtaskState checkpoint(long id) throws Exception {
        getOperator().prepareSnapshotPreBarrier(id);
        return snapshot(id, 0);
    }

    /** A metric, by its name after the group; of a histogram how many values it has. */
    long metric(String name) {
        Metric metric = environment.metric("gpu." + name);
        if (metric instanceof Counter counter) {
            return counter.getCount();
        }
        return metric instanceof Histogram histogram
                ? histogram.getCount()
                : ((Number) environment.gauge("gpu." + name)).longValue();
    }

    /** What came out, marks aside. */
    @SuppressWarnings("unchecked") // What the operator emits.
    List<LookupResult<Integer>> results() {
        List<LookupResult<Integer>> results = new ArrayList<>();
        for (Object element : getOutput()) {
            if (element instanceof StreamRecord<?> record) {
                results.add((LookupResult<Integer>) record.getValue());
            }
        }
        return results;
    }

    /** Closes the operator without an end of its input, as a cancelled task does. */
    @Override
    public void close() {
        Harnesses.cancel(this);
    }
}
