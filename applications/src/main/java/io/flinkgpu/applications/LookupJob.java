package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.List;

/**
 * Lookups in tables that change, in the order of the lines of a file.
 *
 * @param hostBytes of a subtask
 */
record LookupJob(
        BackendChoice backend, List<EmbeddingTable> tables, long hostBytes, String output) {

    /** Applies changes and looks up in the order of the lines. */
    void follow(StreamExecutionEnvironment env, LineCounts lines) {
        DataStream<LookupOperation> operations =
                env.fromSequence(0, lines.ranges() - 1L)
                        .setParallelism(1)
                        .name("operations")
                        .flatMap(new LineParser<>(lines, new LookupFormat(tables)))
                        .setParallelism(1)
                        .returns(TypeInformation.of(LookupOperation.class))
                        .assignTimestampsAndWatermarks(LineTimes.inOrder(0))
                        .setParallelism(1);
        GpuStreams.lookup(
                        operations.filter(LookupOperation::isLookup).setParallelism(1),
                        LookupOperation::request,
                        operations.filter(operation -> !operation.isLookup()).setParallelism(1),
                        LookupOperation::change,
                        GpuOptions.DEFAULT.withBackend(backend))
                .tables(tables.toArray(new EmbeddingTable[0]))
                .hostBytes(hostBytes)
                .eventTime()
                .map(new LookupLine(), PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
                .keyBy(line -> 0, Types.INT)
                .process(new InTimeOrder())
                .returns(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
                .setParallelism(1)
                .sinkTo(new TextFileSink(output))
                .setParallelism(1);
    }
}
