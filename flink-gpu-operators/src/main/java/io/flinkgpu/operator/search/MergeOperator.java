package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.operator.BatchMetrics;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Merges the answers of all shards to a query, once the last one is there. All shards answer the queries of an
 * origin in the same order, and so they leave; watermarks need no holding, as each shard sends them after its
 * answers, and the least of them counts.
 *
 * <p>Queries that lack an answer are kept in memory, and in state when a checkpoint is taken. With aligned
 * checkpoints there are none then, and so there is no state: a savepoint can be restored with one shard, which
 * needs no merging.
 *
 * @param <Q> a query's record
 * @param <R> what is made of the answers
 */
@Internal
public final class MergeOperator<Q, R> extends AbstractStreamOperator<R>
        implements OneInputStreamOperator<PartialAnswer<Q>, R> {

    private static final long serialVersionUID = 1L;

    private static final String PENDING = "pending-answers";

    private final AnswerMapper<Q, R> mapper;
    private transient Map<Query, List<PartialAnswer<Q>>> pending;

    /** Whose answers are in state. */
    private transient Set<Integer> stored;

    private transient StreamRecord<R> emitted;
    private transient volatile int pendingQueries;

    private record Query(int origin, long number) {}

    public MergeOperator(AnswerMapper<Q, R> mapper) {
        this.mapper = mapper;
    }

    @Override
    public void open() throws Exception {
        super.open();
        pending = new LinkedHashMap<>();
        stored = new HashSet<>();
        emitted = new StreamRecord<>(null);
        try (Stream<Object> origins =
                getKeyedStateBackend().getKeys(PENDING, VoidNamespace.INSTANCE)) {
            origins.forEach(origin -> stored.add((Integer) origin));
        }
        for (Integer origin : stored) {
            setCurrentKey(origin);
            for (PartialAnswer<Q> answer : state().get()) {
                add(answer);
            }
        }
        pendingQueries = pending.size();
        BatchMetrics.group(getMetricGroup()).gauge("pendingQueries", () -> pendingQueries);
    }

    @Override
    public void processElement(StreamRecord<PartialAnswer<Q>> element) {
        PartialAnswer<Q> answer = element.getValue();
        List<PartialAnswer<Q>> answers = add(answer);
        if (answers.size() == answer.shards()) {
            pending.remove(new Query(answer.origin(), answer.number()));
            emit(answers);
        }
        pendingQueries = pending.size();
    }

    private List<PartialAnswer<Q>> add(PartialAnswer<Q> answer) {
        List<PartialAnswer<Q>> answers =
                pending.computeIfAbsent(
                        new Query(answer.origin(), answer.number()),
                        query -> new ArrayList<>(answer.shards()));
        answers.add(answer);
        return answers;
    }

    private void emit(List<PartialAnswer<Q>> answers) {
        Q record = null;
        List<SetMatches> matches = new ArrayList<>(answers.size());
        for (PartialAnswer<Q> answer : answers) {
            matches.add(answer.matches());
            record = answer.record() == null ? record : answer.record();
        }
        PartialAnswer<Q> any = answers.get(0);
        R result = mapper.map(record, MergedMatches.of(matches, any.k()));
        if (result == null) {
            return;
        }
        if (any.timestamp() == PartialAnswer.NO_TIMESTAMP) {
            emitted.replace(result);
            emitted.eraseTimestamp();
        } else {
            emitted.replace(result, any.timestamp());
        }
        output.collect(emitted);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        Map<Integer, List<PartialAnswer<Q>>> byOrigin = new HashMap<>();
        for (Map.Entry<Query, List<PartialAnswer<Q>>> entry : pending.entrySet()) {
            byOrigin.computeIfAbsent(entry.getKey().origin(), origin -> new ArrayList<>())
                    .addAll(entry.getValue());
        }
        for (Integer origin : stored) {
            if (!byOrigin.containsKey(origin)) {
                setCurrentKey(origin);
                state().clear();
            }
        }
        for (Map.Entry<Integer, List<PartialAnswer<Q>>> entry : byOrigin.entrySet()) {
            setCurrentKey(entry.getKey());
            state().update(entry.getValue());
        }
        stored = byOrigin.keySet();
    }

    /** Made when it is needed. */
    private ListState<PartialAnswer<Q>> state() throws Exception {
        TypeSerializer<PartialAnswer<Q>> serializer =
                getOperatorConfig().getTypeSerializerIn(0, getUserCodeClassloader());
        return getRuntimeContext().getListState(new ListStateDescriptor<>(PENDING, serializer));
    }
}
