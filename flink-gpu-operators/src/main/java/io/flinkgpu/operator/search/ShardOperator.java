package io.flinkgpu.operator.search;

import io.flinkgpu.api.Errors;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.operator.BatchJob;
import io.flinkgpu.operator.ChangeTimer;
import io.flinkgpu.operator.ResidentChanges;
import io.flinkgpu.operator.ResidentMetrics;
import io.flinkgpu.operator.TwoInputBatchOperator;
import io.flinkgpu.operator.Waiting;

import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.IOUtils;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard: some of the documents, as keyed state and on the backend, and all queries. A query sees the changes
 * that were applied before it. They are put into batches on their own, which go before batches of queries:
 * each query says how many changes it sees.
 *
 * <p>What is on the backend is made again from the state at {@link #open()}, before the first query. Changes
 * that are in the state but not on the backend when a barrier passes need no more.
 *
 * <p>In event time changes and queries wait for the watermark. Those that come after it are applied at once.
 */
final class ShardOperator<Q, OUT>
        extends TwoInputBatchOperator<NumberedQuery<Q>, DocumentChange, OUT, SearchedBatch>
        implements Waiting.Receiver<TimedChange, TimedQuery<Q>> {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(ShardOperator.class);

    private static final String WAITING_QUERIES = "waiting-queries";

    private final transient ValueStateDescriptor<byte[]> ofDocuments =
            new ValueStateDescriptor<>("documents", PackedDocumentSerializer.INSTANCE);
    private final transient ListStateDescriptor<TimedChange> ofWaitingChanges =
            new ListStateDescriptor<>("waiting-changes", TimedChangeSerializer.INSTANCE);
    private final transient SearchSpec<Q, OUT> spec;
    private final transient boolean eventTime;
    private final transient WaitingState<Q> state = new WaitingState<>();
    private final transient Waiting<TimedChange, TimedQuery<Q>> waiting = state.waiting();
    private final transient StreamRecord<NumberedQuery<Q>> asked = new StreamRecord<>(null);
    private transient BroadcastState<Tuple3<Long, Integer, Long>, NumberedQuery<Q>> waitingQueries;
    private transient ListState<TimedChange> waitingChanges;
    private transient KeptDocuments documents;
    private transient ResidentChanges<DocumentChange> changes;
    private transient ResidentMetrics metrics;
    private transient long watermark = Long.MIN_VALUE;

    ShardOperator(
            StreamOperatorParameters<OUT> parameters,
            BatchJob<NumberedQuery<Q>, OUT, SearchedBatch> job,
            SearchSpec<Q, OUT> spec,
            boolean eventTime) {
        super(parameters, job);
        this.spec = spec;
        this.eventTime = eventTime;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        TypeSerializer<NumberedQuery<Q>> serializer =
                getOperatorConfig().getTypeSerializerIn(0, getUserCodeClassloader());
        TypeInformation<Tuple3<Long, Integer, Long>> keys =
                Types.TUPLE(Types.LONG, Types.INT, Types.LONG);
        waitingQueries =
                context.getOperatorStateStore()
                        .getBroadcastState(
                                new MapStateDescriptor<>(
                                        WAITING_QUERIES,
                                        keys.createSerializer(
                                                getExecutionConfig().getSerializerConfig()),
                                        serializer));
        documents =
                new KeptDocuments(
                        context.getKeyedStateStore().getState(ofDocuments), getKeyedStateBackend());
        waitingChanges = context.getKeyedStateStore().getListState(ofWaitingChanges);
    }

    @Override
    public void open() throws Exception {
        int shards = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        if (spec.form().isWhole() && shards > 1) {
            throw Errors.state(
                    "a search that was built with one shard has no others: shards=%s; build it with"
                            + " parallelism(%s)",
                    shards, shards);
        }
        if (getContainingTask().getEnvironment().getJobType() == JobType.BATCH) {
            throw Errors.state(
                    "a search needs streaming execution, as queries and changes take turns:"
                            + " execution.runtime-mode=BATCH; set it to STREAMING");
        }
        super.open();
        metrics = new ResidentMetrics(getMetricGroup(), "queries", "documents");
        CorpusPlan corpus = spec.plan().corpus();
        changes =
                new ResidentChanges<>(
                        engine(),
                        ChangeRows.input(corpus, engine().allocator(), options().batchPolicy()));
        engine().sendBefore(changes);
        rebuild();
        changes.watch(new ChangeTimer(engine(), changes, metrics, options().batchPolicy()));
        restoreWaiting();
    }

    /** Puts all documents of the state on the backend. */
    private void rebuild() throws Exception {
        long started = System.nanoTime();
        getKeyedStateBackend()
                .applyToAllKeys(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        ofDocuments,
                        (id, document) ->
                                changes.add(new DocumentChange((Long) id, document.value())));
        changes.send();
        engine().awaitBatchesInFlight();
        long millis = (System.nanoTime() - started) / 1_000_000;
        metrics.rebuilt(changes.added(), millis);
        if (changes.added() > 0) {
            LOG.info(
                    "Documents of a shard are on their backend again: documents={}, millis={}",
                    changes.added(),
                    millis);
        }
    }

    /** In the order of arrival nothing waits, but what did in a job that was restored. */
    private void restoreWaiting() throws Exception {
        getKeyedStateBackend()
                .applyToAllKeys(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        ofWaitingChanges,
                        (id, timed) -> state.restoreChanges((Long) id, timed.get()));
        state.restoreQueries(waitingQueries.entries());
        if (!eventTime) {
            waiting.release(Long.MAX_VALUE, this);
        }
        metrics.waiting(waiting);
    }

    @Override
    public void processElement1(StreamRecord<NumberedQuery<Q>> element) throws Exception {
        if (!eventTime) {
            ask(element);
        } else if (element.getTimestamp() > watermark) {
            state.add(element.getTimestamp(), element.getValue());
            metrics.waiting(waiting);
        } else {
            metrics.lateRequests.inc();
            ask(element);
        }
    }

    @Override
    public void processElement2(StreamRecord<DocumentChange> element) throws Exception {
        if (!eventTime) {
            apply(element.getValue());
        } else if (element.getTimestamp() > watermark) {
            state.add(element.getTimestamp(), element.getValue());
            metrics.waiting(waiting);
        } else {
            metrics.lateChanges.inc();
            apply(element.getValue());
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (eventTime) {
            watermark = mark.getTimestamp();
            waiting.release(watermark, this);
            metrics.waiting(waiting);
        }
        super.processWatermark(mark);
    }

    @Override
    public void ask(TimedQuery<Q> timed) throws Exception {
        ask(asked.replace(timed.query(), timed.timestamp()));
    }

    @Override
    public void apply(TimedChange timed) throws Exception {
        apply(timed.change());
    }

    private void ask(StreamRecord<NumberedQuery<Q>> element) throws Exception {
        metrics.requests.inc();
        process(element.replace(element.getValue().at(changes.added())));
    }

    private void apply(DocumentChange change) throws Exception {
        setCurrentKey(change.id());
        if (change.isDelete()) {
            documents.remove();
        } else {
            documents.put(change.packed());
        }
        metrics.changes.inc();
        changes.add(change);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        state.store(this::setCurrentKey, waitingChanges, waitingQueries);
    }

    @Override
    public void close() throws Exception {
        IOUtils.closeAll(changes, super::close);
    }
}
