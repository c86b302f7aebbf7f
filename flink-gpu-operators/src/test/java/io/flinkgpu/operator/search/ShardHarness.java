package io.flinkgpu.operator.search;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SearchResultSerializer;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.operator.Harnesses;
import io.flinkgpu.operator.OperatorEnvironment;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Flink's operator harness around a shard; the records of queries are their numbers. */
final class ShardHarness<OUT> extends AbstractStreamOperatorTestHarness<OUT> {

    static final int MAX_PARALLELISM = 16;

    static final BatchPolicy NEVER_FULL = new BatchPolicy(1 << 12, 1 << 20, Duration.ofMinutes(10));

    /** How a shard is made. */
    record Settings(
            Similarity similarity,
            boolean eventTime,
            BatchPolicy policy,
            long corpusBytes,
            BackendFactory backend) {

        ShardHarness<SearchResult<Integer>> one() throws Exception {
            return whole(1);
        }

        /** The first shard of some that all think to be the only one. */
        ShardHarness<SearchResult<Integer>> whole(int shards) throws Exception {
            return new ShardHarness<>(
                    this,
                    new AnswerForm.Whole<>(
                            new AnswerMapper<>(result -> result, ErrorValues.HIDDEN)),
                    new SearchResultSerializer<>(IntSerializer.INSTANCE),
                    shards,
                    0);
        }

        ShardHarness<PartialAnswer<Integer>> one(int shards, int shard) throws Exception {
            return new ShardHarness<>(
                    this,
                    new AnswerForm.Partial<>(0, 0),
                    new PartialAnswerSerializer<>(IntSerializer.INSTANCE),
                    shards,
                    shard);
        }
    }

    private final OperatorEnvironment environment;

    private ShardHarness(
            Settings settings,
            AnswerForm<Integer, OUT> form,
            TypeSerializer<OUT> serializer,
            int shards,
            int shard)
            throws Exception {
        this(
                settings,
                form,
                serializer,
                OperatorEnvironment.ofSubtask(MAX_PARALLELISM, shards, shard));
    }

    private ShardHarness(
            Settings settings,
            AnswerForm<Integer, OUT> form,
            TypeSerializer<OUT> serializer,
            OperatorEnvironment environment)
            throws Exception {
        super(
                new ShardOperatorFactory<>(
                        new SearchSpec<>(
                                new SearchPlan(
                                        new CorpusPlan("documents", settings.corpusBytes),
                                        settings.similarity),
                                form),
                        settings.eventTime,
                        GpuOptions.DEFAULT.withBatchPolicy(settings.policy),
                        settings.backend),
                environment.environment());
        this.environment = environment;
        config.setupNetworkInputs(
                new NumberedQuerySerializer<>(IntSerializer.INSTANCE),
                DocumentChangeSerializer.INSTANCE);
        KeySelector<DocumentChange, Long> selector = DocumentChange::id;
        config.setStatePartitioner(1, selector);
        config.setStateKeySerializer(LongSerializer.INSTANCE);
        config.serializeAllConfigs();
        setup(serializer);
    }

    /** Opens it, with the state that it has its part of. */
    ShardHarness<OUT> restored(OperatorSubtaskState state, int oldShards) throws Exception {
        int shards = getEnvironment().getTaskInfo().getNumberOfParallelSubtasks();
        int shard = getEnvironment().getTaskInfo().getIndexOfThisSubtask();
        initializeState(repartitionOperatorState(state, MAX_PARALLELISM, oldShards, shards, shard));
        open();
        return this;
    }

    void ask(int number, SetQuery query, Long timestamp) throws Exception {
        NumberedQuery<Integer> numbered = new NumberedQuery<>(0, number, number, query);
        operator().processElement1(record(numbered, timestamp));
    }

    void change(SetChange change, Long timestamp) throws Exception {
        operator().processElement2(record(DocumentChange.of(change), timestamp));
    }

    private static <T> StreamRecord<T> record(T value, Long timestamp) {
        return timestamp == null ? new StreamRecord<>(value) : new StreamRecord<>(value, timestamp);
    }

    @SuppressWarnings("unchecked") // What the factory makes.
    TwoInputStreamOperator<NumberedQuery<Integer>, DocumentChange, OUT> operator() {
        return (TwoInputStreamOperator<NumberedQuery<Integer>, DocumentChange, OUT>) getOperator();
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

    /** A metric of the shard. */
    long metric(String name) {
        return environment.metric("gpu." + name) instanceof Counter counter
                ? counter.getCount()
                : ((Number) environment.gauge("gpu." + name)).longValue();
    }

    /** What came out, marks aside. */
    @SuppressWarnings("unchecked") // What the operator emits.
    List<OUT> results() {
        List<OUT> results = new ArrayList<>();
        for (Object element : getOutput()) {
            if (element instanceof StreamRecord<?> record) {
                results.add((OUT) record.getValue());
            }
        }
        return results;
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
