package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A search of sets in files: what is read, in which order it counts, and the file of answers.
 *
 * @param corpusBytes of a shard
 */
record SetSearchJob(BackendChoice backend, long corpusBytes, String output) {

    /** Where documents are searched: id, versions, attributes, size, place; with room for tiles that merge. */
    private static final long DOCUMENT_BYTES = 128;

    /** In a set and in an index. */
    private static final long ELEMENT_BYTES = 6;

    private static final long SHARD_BYTES = 128L << 20;

    /**
     * What documents need in the fullest of all shards.
     *
     * @param lines of a set each
     */
    static long corpusBytes(LineCounts lines, int shards) {
        int keyGroups = KeyGroupRangeAssignment.computeDefaultMaxParallelism(shards);
        long most = (keyGroups + shards - 1) / shards;
        long elements = lines.commas() + lines.lines();
        long bytes = DOCUMENT_BYTES * lines.lines() + ELEMENT_BYTES * elements;
        return SHARD_BYTES + bytes / keyGroups * most * 5 / 4;
    }

    /** Answers queries, each of which sees all documents. */
    void search(StreamExecutionEnvironment env, LineCounts documents, LineCounts queries, int k) {
        DataStream<SearchOperation> changes =
                operations(env, documents, SetFormat.documents(), env.getParallelism(), "documents")
                        .assignTimestampsAndWatermarks(LineTimes.ofDocuments());
        DataStream<SearchOperation> asked =
                operations(env, queries, SetFormat.queries(k), 1, "queries")
                        .assignTimestampsAndWatermarks(
                                LineTimes.inOrder(LineTimes.afterDocuments(documents)));
        answer(asked, changes);
    }

    /** Applies changes and answers queries in the order of their lines. */
    void follow(StreamExecutionEnvironment env, LineCounts lines) {
        DataStream<SearchOperation> operations =
                operations(env, lines, new OperationFormat(), 1, "operations")
                        .assignTimestampsAndWatermarks(LineTimes.inOrder(0));
        // One subtask reads queries, as answers are in the order of each subtask's queries.
        answer(
                operations.filter(SearchOperation::isQuery).setParallelism(1),
                operations.filter(operation -> !operation.isQuery()).setParallelism(1));
    }

    private static DataStream<SearchOperation> operations(
            StreamExecutionEnvironment env,
            LineCounts counts,
            SetFormat format,
            int parallelism,
            String name) {
        return env.fromSequence(0, counts.ranges() - 1L)
                .setParallelism(parallelism)
                .name(name)
                .flatMap(new LineParser<>(counts, format))
                .setParallelism(parallelism)
                .returns(TypeInformation.of(SearchOperation.class));
    }

    private void answer(DataStream<SearchOperation> queries, DataStream<SearchOperation> changes) {
        GpuStreams.search(
                        queries,
                        SearchOperation::query,
                        changes,
                        SearchOperation::change,
                        GpuOptions.DEFAULT.withBackend(backend))
                .eventTime()
                .corpusBytes(corpusBytes)
                .map(new AnswerLine(), PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
                .sinkTo(new TextFileSink(output))
                .setParallelism(1);
    }
}
