package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.Errors;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchJob;
import io.flinkgpu.operator.BatchSpec;
import io.flinkgpu.operator.ChangeTimer;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.RecordReader;
import io.flinkgpu.operator.ResidentChanges;
import io.flinkgpu.operator.ResidentMetrics;
import io.flinkgpu.operator.TwoInputBatchOperator;
import io.flinkgpu.operator.Waiting;

import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.IOUtils;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Looks up requests in tables that change. All subtasks have all tables and get all changes, in one order; each
 * request is read in one of them, which its record goes to.
 *
 * <p>Changes are put into batches of their own, which go before the open batch of requests. So in the order of
 * arrival a request sees all changes that came before it, and may see some that came while its batch was open. In
 * event time changes and requests wait for the watermark, and a change of an id that the open batch may have ends
 * the batch first, so that a request sees the changes up to its timestamp, no others.
 *
 * <p>What is on the backend is made again at {@link #open()}: from the base files of the state, then the changes
 * since. Changes that are in the state but not on the backend when a barrier passes need no more.
 */
final class LookupOperator<Q, OUT>
        extends TwoInputBatchOperator<Q, TableChange, OUT, TransformedBatch>
        implements Waiting.Receiver<TimedTableChange, TimedRequest<Q>> {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(LookupOperator.class);

    private final transient LookupSpec<Q, OUT> spec;
    private final transient LookupMode mode;
    private final transient Waiting<TimedTableChange, TimedRequest<Q>> waiting =
            new Waiting<>(TimedTableChange::compareTo, TimedRequest.order());
    private final transient RecordReader<Q, AskedRequest> reader;
    private final transient StreamRecord<Q> asked = new StreamRecord<>(null);
    private final transient OpenIds openIds = new OpenIds();
    private transient KeptTables kept;
    private transient RequestRows rows;
    private transient EmbeddingTablesPlan tables;
    private transient BroadcastState<Long, TimedTableChange> waitingChanges;
    private transient ListState<TimedRequest<Q>> waitingRequests;
    private transient ResidentChanges<TableChange> changes;
    private transient ResidentMetrics metrics;
    private transient long watermark = Long.MIN_VALUE;

    /** Numbers of changes and of requests that waited. */
    private transient long arrivals;

    LookupOperator(
            StreamOperatorParameters<OUT> parameters,
            BatchJob<Q, OUT, TransformedBatch> job,
            LookupSpec<Q, OUT> spec,
            LookupMode mode,
            RecordReader<Q, AskedRequest> reader) {
        super(parameters, job);
        this.spec = spec;
        this.mode = mode;
        this.reader = reader;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        OperatorStateStore store = context.getOperatorStateStore();
        kept = new KeptTables(store, spec.plan().tables().tables());
        TypeSerializer<Q> record =
                getOperatorConfig().getTypeSerializerIn(0, getUserCodeClassloader());
        waitingRequests =
                store.getListState(
                        new ListStateDescriptor<>(
                                "waiting-requests",
                                new TimedRequestSerializer<>(
                                        new TableRequestSerializer<>(record))));
        waitingChanges =
                store.getBroadcastState(
                        new MapStateDescriptor<>(
                                "waiting-changes",
                                LongSerializer.INSTANCE,
                                TimedTableChangeSerializer.INSTANCE));
    }

    @Override
    public void open() throws Exception {
        if (getContainingTask().getEnvironment().getJobType() == JobType.BATCH) {
            throw Errors.state(
                    "a lookup needs streaming execution, as requests and changes take turns:"
                            + " execution.runtime-mode=BATCH; set it to STREAMING");
        }
        String scratch =
                getContainingTask().getEnvironment().getTaskManagerInfo().getTmpDirectories()[0];
        requireTables();
        tables = spec.plan().tables().withTables(kept.restore(mode.rebase())).withScratch(scratch);
        super.open();
        reader.open(getRuntimeContext());
        metrics = new ResidentMetrics(getMetricGroup(), "requests", "changes");
        changes =
                new ResidentChanges<>(
                        engine(),
                        VectorRows.input(tables, engine().allocator(), options().batchPolicy()));
        engine().sendBefore(changes);
        rebuild();
        changes.watch(new ChangeTimer(engine(), changes, metrics, options().batchPolicy()));
        restoreWaiting();
    }

    /** Of all that waits. */
    private void requireTables() throws Exception {
        for (Map.Entry<Long, TimedTableChange> entry : waitingChanges.entries()) {
            kept.requireTable(entry.getValue().change().table(), "a change");
        }
        for (TimedRequest<Q> timed : waitingRequests.get()) {
            IntBuffer bags =
                    ByteBuffer.wrap(timed.request().bags())
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .asIntBuffer();
            while (bags.hasRemaining()) {
                kept.requireTable(EmbeddingPlan.table(bags.get()), "a request");
            }
        }
    }

    @Override
    protected BatchSpec<Q, OUT, TransformedBatch> spec() {
        return (engine, context) ->
                spec.open(engine, context, new EmbeddingPlan(tables), this::loaded);
    }

    private void loaded(Map<String, LongSupplier> gauges, RequestRows requests) throws Exception {
        kept.loaded(gauges);
        rows = requests;
    }

    /** Applies the changes of the state to the tables. */
    private void rebuild() throws Exception {
        long started = System.nanoTime();
        kept.replay(changes::add);
        changes.send();
        engine().awaitBatchesInFlight();
        long millis = (System.nanoTime() - started) / 1_000_000;
        metrics.rebuilt(changes.added(), millis);
        if (changes.added() > 0) {
            LOG.info(
                    "Changes of tables are on their backend again: changes={}, millis={}",
                    changes.added(),
                    millis);
        }
    }

    /** In the order of arrival nothing waits, but what did in a job that was restored. */
    private void restoreWaiting() throws Exception {
        for (Map.Entry<Long, TimedTableChange> entry : waitingChanges.entries()) {
            waiting.addChange(entry.getValue());
            arrivals = Math.max(arrivals, entry.getKey() + 1);
        }
        for (TimedRequest<Q> timed : waitingRequests.get()) {
            waiting.addRequest(timed);
            arrivals = Math.max(arrivals, timed.arrival() + 1);
        }
        if (!mode.isEventTime()) {
            waiting.release(Long.MAX_VALUE, this);
        }
        metrics.waiting(waiting);
    }

    @Override
    public void processElement1(StreamRecord<Q> element) throws Exception {
        AskedRequest request = reader.read(element, output);
        if (request == null) {
            return;
        }
        if (!mode.isEventTime()) {
            metrics.requests.inc();
            rows.set(request);
            process(element);
        } else if (element.getTimestamp() > watermark) {
            // It came over the network, and so is nobody else's.
            waiting.addRequest(
                    new TimedRequest<>(
                            element.getTimestamp(), arrivals++, request.of(element.getValue())));
            metrics.waiting(waiting);
        } else {
            metrics.lateRequests.inc();
            ask(request.of(element.getValue()), element.getTimestamp());
        }
    }

    @Override
    public void processElement2(StreamRecord<TableChange> element) throws Exception {
        TableChange change = element.getValue();
        if (!mode.isEventTime()) {
            apply(change, Long.MIN_VALUE);
        } else if (element.getTimestamp() > watermark) {
            waiting.addChange(new TimedTableChange(element.getTimestamp(), arrivals++, change));
            metrics.waiting(waiting);
        } else {
            metrics.lateChanges.inc();
            apply(change, element.getTimestamp());
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mode.isEventTime()) {
            watermark = mark.getTimestamp();
            waiting.release(watermark, this);
            metrics.waiting(waiting);
        }
        super.processWatermark(mark);
    }

    @Override
    public void ask(TimedRequest<Q> timed) throws Exception {
        ask(timed.request(), timed.timestamp());
    }

    private void ask(TableRequest<Q> request, long timestamp) throws Exception {
        metrics.requests.inc();
        if (mode.isEventTime()) {
            if (!engine().hasOpenBatch()) {
                openIds.clear();
            }
            ByteBuffer ids = ByteBuffer.wrap(request.ids()).order(ByteOrder.LITTLE_ENDIAN);
            while (ids.hasRemaining()) {
                openIds.add(ids.getLong());
            }
        }
        rows.set(request);
        process(asked.replace(request.record(), timestamp));
    }

    @Override
    public void apply(TimedTableChange timed) throws Exception {
        apply(timed.change(), timed.timestamp());
    }

    private void apply(TableChange change, long timestamp) throws Exception {
        metrics.changes.inc();
        if (!kept.keep(change, timestamp)) {
            return;
        }
        if (mode.isEventTime() && engine().hasOpenBatch() && openIds.mayHave(change.id())) {
            engine().flush(FlushReason.CHANGE);
        }
        changes.add(change);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        waitingChanges.clear();
        for (TimedTableChange timed : waiting.changes()) {
            waitingChanges.put(timed.arrival(), timed);
        }
        List<TimedRequest<Q>> requests = new ArrayList<>(waiting.requests());
        waitingRequests.update(requests);
    }

    @Override
    public void close() throws Exception {
        IOUtils.closeAll(changes, super::close);
    }
}
