package io.flinkgpu;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.search.SearchMapper;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SearchResultTypeInfo;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.operator.search.AnswerForm;
import io.flinkgpu.operator.search.AnswerMapper;
import io.flinkgpu.operator.search.SearchSpec;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/**
 * A search for the documents whose sets are most like those of queries, while documents change. Documents are
 * in Flink's keyed state, and on the backend as long as the job runs; they are divided among the subtasks, the
 * shards, each of which gets all queries. Each query has one answer, exact: the best of all shards.
 *
 * <p>In the order of arrival, the default, a query sees in each shard the changes that came there before it.
 * In {@link #eventTime() event time} it sees exactly those whose timestamps are not later than its own.
 *
 * <p>Answers leave in the order in which the queries of a subtask came, in event time in that of their
 * timestamps, with the timestamps of their queries; watermarks keep their places. Not for batch execution.
 * Immutable: each method gives a changed copy, so a call whose result is not used does nothing.
 *
 * @param <Q> a query's record
 * @param <C> a change's record
 */
@PublicEvolving
public final class SearchStream<Q, C> {

    /** Half the heap of a TaskManager as Flink sets it up; on a GPU a small part of its memory. */
    private static final long DEFAULT_CORPUS_BYTES = 256L << 20;

    private static final long MIN_CORPUS_BYTES = 1L << 20;

    private final ResidentStreams<Q, SetQuery, C, SetChange> streams;
    private final SearchPlan plan;

    private SearchStream(ResidentStreams<Q, SetQuery, C, SetChange> streams, SearchPlan plan) {
        this.streams = streams;
        this.plan = plan;
    }

    /**
     * @param backend opens what the options ask for
     */
    static <Q, C> SearchStream<Q, C> of(
            DataStream<Q> queries,
            ValueGetter<Q, SetQuery> query,
            DataStream<C> changes,
            ValueGetter<C, SetChange> change,
            GpuOptions options,
            BackendFactory backend) {
        JobChecks.present("queries", queries);
        return new SearchStream<>(
                ResidentStreams.of("query", queries, query, changes, change, options, backend),
                new SearchPlan(corpus(DEFAULT_CORPUS_BYTES), Similarity.MAX));
    }

    /** How alike two sets are; {@link Similarity#MAX} if not called. */
    public SearchStream<Q, C> similarity(Similarity similarity) {
        return with(new SearchPlan(plan.corpus(), JobChecks.present("similarity", similarity)));
    }

    /**
     * Has queries and changes wait until the watermark of both streams has reached their timestamps, and
     * applies them in this order: by timestamp, changes before queries, then by the id of the document. So
     * answers depend on the input alone, if no record comes after the watermark of its timestamp. One that
     * does is not lost but applied at once, and counted as {@code lateChanges} or {@code lateQueries}. Of
     * changes of one document with one timestamp the last to arrive stays.
     */
    public SearchStream<Q, C> eventTime() {
        return with(streams.withEventTime());
    }

    /**
     * The most memory that the documents of one shard may take where they are searched, their indexes
     * included, besides Flink's state; 256 MiB if not called, enough for about a million documents of 65
     * elements. On a GPU it is the device's memory, on the CPU the heap's. A corpus that needs more fails
     * the job with an error that says how much.
     *
     * @throws IllegalArgumentException if it is less than 1 MiB
     */
    public SearchStream<Q, C> corpusBytes(long corpusBytes) {
        if (corpusBytes < MIN_CORPUS_BYTES) {
            throw Errors.argument(
                    "a corpus has at least 1 MiB: corpusBytes=%s; give it more", corpusBytes);
        }
        return with(new SearchPlan(corpus(corpusBytes), plan.similarity()));
    }

    /**
     * How many shards the documents are divided among; the parallelism of the job if not called. With one
     * there is nothing to merge.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public SearchStream<Q, C> parallelism(int shards) {
        if (shards < 1) {
            throw Errors.argument(
                    "documents are in at least one shard: parallelism=%s; use 1 for one", shards);
        }
        return with(streams.withParallelism(shards));
    }

    /**
     * A side output of the results, which gets the place of each record that is no query or no change, and
     * why: its getter fails or gives null, or {@link SetQuery} or {@link SetChange} refuses what it says.
     * Without this, such a record fails the job. A record without a timestamp in event time does so anyway.
     */
    public SearchStream<Q, C> deadLetters(OutputTag<RefusedRecord> tag) {
        return with(streams.withDeadLetters(tag));
    }

    /**
     * The answers.
     *
     * <p>The stream stands for several operators, and its {@code uid} and {@code name} are those of the
     * shards, which have the documents. The operators that read queries and changes, and the one that merges
     * answers, have the same with {@code -queries}, {@code -changes} and {@code -merge} after it; that of
     * the side output {@code -dead-letters}.
     *
     * @throws IllegalArgumentException if the memory limit is too small for the batches
     */
    public SingleOutputStreamOperator<SearchResult<Q>> results() {
        return map(result -> result, new SearchResultTypeInfo<>(streams.requests().getType()));
    }

    /**
     * Records made of the answers, at most one of each.
     *
     * @throws IllegalArgumentException as above, and if the mapper cannot be serialized
     */
    public <R> SingleOutputStreamOperator<R> map(
            SearchMapper<Q, R> mapper, TypeInformation<R> type) {
        JobChecks.present("type", type);
        AnswerMapper<Q, R> cleaned =
                new AnswerMapper<>(streams.cleaned(mapper), streams.options().errorValues());
        SearchSpec<Q, R> whole = new SearchSpec<>(plan, new AnswerForm.Whole<>(cleaned));
        JobChecks.requireMemory(
                streams.options(), whole.neededBytes(streams.options().batchPolicy()));
        SearchOperators<Q, C> operators = SearchOperators.of(streams, plan);
        return shards() == 1 ? operators.one(whole, type) : operators.merged(cleaned, type);
    }

    /** What is searched, how, and where, for a person to read. */
    public String explain() {
        String shards =
                streams.parallelism() == 0 ? "of the job" : String.valueOf(streams.parallelism());
        return String.join(
                "\n",
                "set search: similarity=" + plan.similarity(),
                "order: "
                        + (streams.isEventTime()
                                ? "event time, changes before queries of the same timestamp"
                                : "arrival"),
                "shards: parallelism="
                        + shards
                        + (shards() == 1 ? ", nothing to merge" : ", answers are merged"),
                "runs on: "
                        + switch (streams.options().backend()) {
                            case AUTO -> "a GPU where one opens, else the CPU";
                            case CPU -> "the CPU";
                            case CUDA -> "a GPU";
                        },
                "counts by: bit planes or postings, what costs less for the queries of a batch",
                "documents: corpusBytes=" + plan.corpus().bytes() + " for each shard",
                "");
    }

    private int shards() {
        return streams.parallelism() == 0
                ? streams.requests().getExecutionEnvironment().getParallelism()
                : streams.parallelism();
    }

    private static CorpusPlan corpus(long bytes) {
        return new CorpusPlan("documents", bytes);
    }

    private SearchStream<Q, C> with(SearchPlan changed) {
        return new SearchStream<>(streams, changed);
    }

    private SearchStream<Q, C> with(ResidentStreams<Q, SetQuery, C, SetChange> changed) {
        return new SearchStream<>(changed, plan);
    }
}
