package io.flinkgpu;

import io.flinkgpu.ResidentResults.Part;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.operator.ReadFunction;
import io.flinkgpu.operator.RecordReader;
import io.flinkgpu.operator.search.AnswerForm;
import io.flinkgpu.operator.search.AnswerMapper;
import io.flinkgpu.operator.search.DocumentChange;
import io.flinkgpu.operator.search.DocumentChangeTypeInfo;
import io.flinkgpu.operator.search.MergeOperator;
import io.flinkgpu.operator.search.NumberedQuery;
import io.flinkgpu.operator.search.NumberedQueryTypeInfo;
import io.flinkgpu.operator.search.PartialAnswer;
import io.flinkgpu.operator.search.PartialAnswerTypeInfo;
import io.flinkgpu.operator.search.QueryNumbers;
import io.flinkgpu.operator.search.SearchSpec;
import io.flinkgpu.operator.search.ShardOperatorFactory;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.TwoInputTransformation;

import java.util.ArrayList;
import java.util.List;

/**
 * Builds the operators of a search: queries and changes are read and sent to the shards, whose answers are
 * merged.
 */
final class SearchOperators<Q, C> {

    private static final String SEARCH = "gpu-search";
    private static final RecordReader.Purpose PURPOSE =
            new RecordReader.Purpose("a search", "be searched with");
    private static final String QUERIES = "-queries";
    private static final String CHANGES = "-changes";
    private static final String MERGE = "-merge";

    private final SingleOutputStreamOperator<NumberedQuery<Q>> queries;
    private final SingleOutputStreamOperator<DocumentChange> changes;
    private final ResidentStreams<Q, SetQuery, C, SetChange> streams;
    private final SearchPlan plan;

    private SearchOperators(
            SingleOutputStreamOperator<NumberedQuery<Q>> queries,
            SingleOutputStreamOperator<DocumentChange> changes,
            ResidentStreams<Q, SetQuery, C, SetChange> streams,
            SearchPlan plan) {
        this.queries = queries;
        this.changes = changes;
        this.streams = streams;
        this.plan = plan;
    }

    /** Reads queries and changes. */
    static <Q, C> SearchOperators<Q, C> of(
            ResidentStreams<Q, SetQuery, C, SetChange> streams, SearchPlan plan) {
        DataStream<Q> queries = streams.requests();
        DataStream<C> changes = streams.changes();
        SingleOutputStreamOperator<NumberedQuery<Q>> numbered =
                queries.process(
                        new QueryNumbers<>(streams.reader(PURPOSE, "queries", streams.request())),
                        new NumberedQueryTypeInfo<>(queries.getType()));
        SingleOutputStreamOperator<DocumentChange> read =
                changes.process(
                        new ReadFunction<>(
                                streams.reader(
                                        PURPOSE,
                                        "changes",
                                        DocumentChange.reading(streams.change()))),
                        DocumentChangeTypeInfo.INSTANCE);
        return new SearchOperators<>(
                WindowStream.chained(numbered.name(SEARCH + QUERIES), queries),
                WindowStream.chained(read.name(SEARCH + CHANGES), changes),
                streams,
                plan);
    }

    /** One shard, whose answers are whole. */
    <R> SingleOutputStreamOperator<R> one(SearchSpec<Q, R> spec, TypeInformation<R> type) {
        Operator<R> shard = shards(spec, type, 1);
        return results(shard, shard);
    }

    /** Shards and what merges their answers. */
    <R> SingleOutputStreamOperator<R> merged(AnswerMapper<Q, R> mapper, TypeInformation<R> type) {
        int shards = streams.parallelism();
        Operator<PartialAnswer<Q>> all =
                shards(
                        new SearchSpec<>(plan, new AnswerForm.Partial<>(0, 0)),
                        new PartialAnswerTypeInfo<>(streams.requests().getType()),
                        shards);
        SingleOutputStreamOperator<R> merged =
                all.keyBy(PartialAnswer::origin, Types.INT)
                        .transform(SEARCH + MERGE, type, new MergeOperator<>(mapper));
        if (shards > 0) {
            merged.setParallelism(shards);
        }
        return results(all, merged);
    }

    /** Barriers are aligned before the shards, as the factory asks for. Flink does so where it broadcasts. */
    private <OUT> Operator<OUT> shards(
            SearchSpec<Q, OUT> spec, TypeInformation<OUT> type, int parallelism) {
        KeyedStream<DocumentChange, Long> byDocument =
                changes.keyBy(DocumentChange::id, Types.LONG);
        RawRecords.align((PartitionTransformation<?>) byDocument.getTransformation());
        StreamExecutionEnvironment environment = queries.getExecutionEnvironment();
        TwoInputTransformation<NumberedQuery<Q>, DocumentChange, OUT> shards =
                new TwoInputTransformation<>(
                        queries.broadcast().getTransformation(),
                        byDocument.getTransformation(),
                        SEARCH,
                        new ShardOperatorFactory<>(
                                spec, streams.isEventTime(), streams.options(), streams.backend()),
                        type,
                        parallelism > 0 ? parallelism : environment.getParallelism(),
                        parallelism > 0);
        shards.setStateKeySelectors(null, byDocument.getKeySelector());
        shards.setStateKeyType(Types.LONG);
        environment.addOperator(shards);
        return new Operator<>(environment, shards);
    }

    /** An operator as a stream. */
    private static final class Operator<T> extends SingleOutputStreamOperator<T> {

        Operator(StreamExecutionEnvironment environment, TwoInputTransformation<?, ?, T> operator) {
            super(environment, operator);
        }
    }

    /** All operators as the one that they are to the user. */
    private <R> SingleOutputStreamOperator<R> results(
            SingleOutputStreamOperator<?> shards, SingleOutputStreamOperator<R> last) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(queries, QUERIES, true));
        parts.add(new Part(changes, CHANGES, true));
        parts.add(new Part(shards, "", false));
        if (last != shards) {
            parts.add(new Part(last, MERGE, false));
        }
        return new ResidentResults<>(
                new ResidentResults.Names("a search", SEARCH), parts, last, streams.deadLetters());
    }
}
