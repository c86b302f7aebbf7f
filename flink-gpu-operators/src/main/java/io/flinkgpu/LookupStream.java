package io.flinkgpu;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupBatchMapper;
import io.flinkgpu.api.lookup.LookupMapper;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.LookupResultTypeInfo;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.operator.lookup.BatchResultMapper;
import io.flinkgpu.operator.lookup.LookupOutput;
import io.flinkgpu.operator.lookup.LookupSpec;
import io.flinkgpu.operator.lookup.RebasePolicy;
import io.flinkgpu.operator.lookup.ResultMapper;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

import java.util.ArrayList;
import java.util.List;

/**
 * A lookup of ids in tables of vectors, the embeddings, while vectors change. Each subtask has all tables, so that
 * requests go where they are; a change goes to all. What has changed since a table's base file is in Flink's
 * broadcast state.
 *
 * <p>In the order of arrival, the default, a request sees all changes that came to its subtask before it, and may
 * see some that came while its batch was open. In {@link #eventTime() event time} it sees exactly those whose
 * timestamps are not later than its own. It never sees a part of a vector.
 *
 * <p>Results leave in the order in which the requests of a subtask came, in event time in that of their timestamps,
 * with the timestamps of their requests; watermarks keep their places. Not for batch execution. Immutable: each
 * method gives a changed copy, so a call whose result is not used does nothing.
 *
 * @param <Q> a request's record
 * @param <C> a change's record
 */
@PublicEvolving
public final class LookupStream<Q, C> {

    private final ResidentStreams<Q, LookupRequest, C, VectorChange> streams;
    private final LookupSettings settings;

    private LookupStream(
            ResidentStreams<Q, LookupRequest, C, VectorChange> streams, LookupSettings settings) {
        this.streams = streams;
        this.settings = settings;
    }

    /**
     * @param backend opens what the options ask for
     */
    static <Q, C> LookupStream<Q, C> of(
            DataStream<Q> requests,
            ValueGetter<Q, LookupRequest> request,
            DataStream<C> changes,
            ValueGetter<C, VectorChange> change,
            GpuOptions options,
            BackendFactory backend) {
        JobChecks.present("requests", requests);
        return new LookupStream<>(
                ResidentStreams.of("request", requests, request, changes, change, options, backend),
                LookupSettings.DEFAULT);
    }

    /** The tables, each with a name of its own, besides those of earlier calls. State knows their order. */
    public LookupStream<Q, C> tables(EmbeddingTable... tables) {
        List<EmbeddingTable> all = new ArrayList<>(settings.tables());
        for (EmbeddingTable table : JobChecks.present("tables", tables)) {
            all.add(JobChecks.present("table", table));
        }
        return with(settings.withTables(all));
    }

    /**
     * The most memory of the host, off the heap, that the vectors of one subtask may take; 1 GiB if not called. What
     * it has no room for is read from files when it is looked up. What finds vectors by their ids comes on top: 24
     * to 48 bytes for each.
     *
     * @throws IllegalArgumentException if it is less than 0
     */
    public LookupStream<Q, C> hostBytes(long hostBytes) {
        requireBytes("hostBytes", hostBytes);
        return with(settings.withBytes(hostBytes, settings.deviceBytes()));
    }

    /**
     * The most memory of a GPU that the vectors of one subtask may take; 1 GiB if not called. What it has no room
     * for is read from memory of the host.
     *
     * @throws IllegalArgumentException if it is less than 0
     */
    public LookupStream<Q, C> deviceBytes(long deviceBytes) {
        requireBytes("deviceBytes", deviceBytes);
        return with(settings.withBytes(settings.hostBytes(), deviceBytes));
    }

    private static void requireBytes(String name, long bytes) {
        if (bytes < 0) {
            throw Errors.argument(
                    "vectors take memory or none: %s=%s; use 0 for none", name, bytes);
        }
    }

    /**
     * Writes a new base file of each table that has at least so many changes when the job starts from a checkpoint
     * or savepoint, and goes on with it: the state of the next checkpoint has no older changes. Old files are left
     * alone, as older checkpoints need them.
     *
     * @param directory where the files are written, at the same path on all machines
     * @param minChanges at least 1
     * @throws IllegalArgumentException if it is less
     */
    public LookupStream<Q, C> rebase(String directory, long minChanges) {
        if (minChanges < 1) {
            throw Errors.argument(
                    "a table without changes needs no new base file: minChanges=%s; use 1 for any",
                    minChanges);
        }
        return with(
                settings.withRebase(
                        new RebasePolicy(JobChecks.present("directory", directory), minChanges)));
    }

    /**
     * Has a model score what is looked up: results have what it gives, as if it were one bag, in place of the looked-up
     * values. A request with other bags or numbers than the model reads is none.
     *
     * @throws IllegalArgumentException by {@link #results} and {@link #map}, if a feature is of no table, or tables
     *     and numbers do not give as many numbers as the model reads
     */
    public LookupStream<Q, C> score(Scoring scoring) {
        return with(settings.withScoring(JobChecks.present("scoring", scoring)));
    }

    /**
     * Has requests and changes wait until the watermark of both streams has reached their timestamps, and applies
     * them in this order: by timestamp, changes before requests, then by table and id. So results depend on the
     * input alone, if no record comes after the watermark of its timestamp. One that does is not lost but applied at
     * once, and counted as {@code lateChanges} or {@code lateRequests}; a late change leaves a vector alone that one
     * with a later timestamp has changed. Of changes of one vector with one timestamp the last to arrive stays.
     */
    public LookupStream<Q, C> eventTime() {
        return with(streams.withEventTime());
    }

    /**
     * How many subtasks read requests and look up, each with a copy of all tables; the parallelism of the job if not
     * called.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public LookupStream<Q, C> parallelism(int subtasks) {
        if (subtasks < 1) {
            throw Errors.argument(
                    "at least one subtask looks up: parallelism=%s; use 1 for one", subtasks);
        }
        return with(streams.withParallelism(subtasks));
    }

    /**
     * A side output of the results, which gets the place of each record that is no request or no change, and why:
     * its getter fails or gives null, {@link LookupRequest} or {@link VectorChange} refuses what it says, there is no
     * such table, or a vector has another dimension. Without this, such a record fails the job. A record without a
     * timestamp in event time does so anyway.
     */
    public LookupStream<Q, C> deadLetters(OutputTag<RefusedRecord> tag) {
        return with(streams.withDeadLetters(tag));
    }

    /**
     * The results.
     *
     * <p>The stream stands for several operators, and its {@code uid} and {@code name} are those of the one that has
     * the tables and reads requests. The operator that reads changes has the same with {@code -changes} after it; that
     * of the side output {@code -dead-letters}.
     *
     * @throws IllegalArgumentException if there are no tables, two have one name, or the memory limit is too small
     *     for the batches
     */
    public SingleOutputStreamOperator<LookupResult<Q>> results() {
        return map(result -> result, new LookupResultTypeInfo<>(streams.requests().getType()));
    }

    /**
     * Records made of the results, at most one of each.
     *
     * @throws IllegalArgumentException as above, and if the mapper cannot be serialized
     */
    public <R> SingleOutputStreamOperator<R> map(
            LookupMapper<Q, R> mapper, TypeInformation<R> type) {
        return emitting(
                new ResultMapper<>(streams.cleaned(mapper), streams.options().errorValues()), type);
    }

    /**
     * Records made of batches of results as Arrow vectors, any number of each: without an object for each result.
     * The mapper is called for each batch when its results are there; what it emits leaves before watermarks that
     * came after the batch's first request, and before a checkpoint that the requests came before. Vectors stay the
     * operator's, which closes them after the call.
     *
     * @throws IllegalArgumentException as above
     */
    public <R> SingleOutputStreamOperator<R> mapBatches(
            LookupBatchMapper<Q, R> mapper, TypeInformation<R> type) {
        return emitting(
                new BatchResultMapper<>(streams.cleaned(mapper), streams.options().errorValues()),
                type);
    }

    private <R> SingleOutputStreamOperator<R> emitting(
            LookupOutput<Q, R> output, TypeInformation<R> type) {
        JobChecks.present("type", type);
        LookupSpec<Q, R> spec =
                new LookupSpec<>(new EmbeddingPlan(plan()), settings.scoring(), output);
        JobChecks.requireMemory(
                streams.options(), spec.neededBytes(streams.options().batchPolicy()));
        return LookupOperators.of(streams, settings).results(spec, type);
    }

    private EmbeddingTablesPlan plan() {
        return new EmbeddingTablesPlan(
                settings.tables(), settings.hostBytes(), settings.deviceBytes(), null);
    }

    /** What is looked up, how, and where, for a person to read. */
    public String explain() {
        List<String> lines = new ArrayList<>();
        lines.add("lookup of embeddings: tables=" + settings.tables().size());
        settings.tables().forEach(table -> lines.add("  " + table));
        if (settings.scoring() != null) {
            lines.add(
                    "scored by: "
                            + settings.scoring().model()
                            + ", features="
                            + settings.scoring().features().size()
                            + ", numbers="
                            + settings.scoring().numbers());
        }
        lines.add(
                "order: "
                        + (streams.isEventTime()
                                ? "event time, changes before requests of the same timestamp"
                                : "arrival"));
        lines.add(
                "subtasks: parallelism="
                        + (streams.parallelism() == 0 ? "of the job" : streams.parallelism())
                        + ", each with all tables");
        lines.add(
                "runs on: "
                        + switch (streams.options().backend()) {
                            case AUTO ->
                                    "a GPU where one opens and is faster with small tables, else the"
                                            + " CPU";
                            case CPU -> "the CPU";
                            case CUDA -> "a GPU";
                        });
        lines.add(
                "memory of a subtask: hostBytes="
                        + settings.hostBytes()
                        + ", on a GPU deviceBytes="
                        + settings.deviceBytes()
                        + "; other vectors are read from files");
        lines.add(
                "rebase: "
                        + (settings.rebase().directory() == null
                                ? "never"
                                : "a table with at least "
                                        + settings.rebase().minChanges()
                                        + " changes, when the job starts from state"));
        lines.add("");
        return String.join("\n", lines);
    }

    private LookupStream<Q, C> with(LookupSettings changed) {
        return new LookupStream<>(streams, changed);
    }

    private LookupStream<Q, C> with(ResidentStreams<Q, LookupRequest, C, VectorChange> changed) {
        return new LookupStream<>(changed, settings);
    }
}
