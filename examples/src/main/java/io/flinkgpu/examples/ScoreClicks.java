package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.dense.DenseBuilder;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Scores clicks by a small network, which reads the vectors of items as they are at that time. */
public final class ScoreClicks {

    /** An item's vector from a time on, or, without a vector, a click on it. */
    public record Event(long time, long item, float... vector) {}

    private ScoreClicks() {}

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        WatermarkStrategy<Event> time =
                WatermarkStrategy.<Event>forMonotonousTimestamps()
                        .withTimestampAssigner((event, none) -> event.time());
        DataStream<Event> items =
                env.fromData(new Event(1, 7, 0.5f, 2f), new Event(3, 7, 1f, 2f))
                        .assignTimestampsAndWatermarks(time);
        DataStream<Event> clicks =
                env.fromData(new Event(2, 7), new Event(4, 7), new Event(5, 8))
                        .assignTimestampsAndWatermarks(time);
        DenseBuilder b = DensePlan.builder(2);
        DenseMatrix weights = DenseMatrix.of(2, 1, 1f, -1f);
        DensePlan network = b.build(b.sigmoid(b.linear(b.input(), weights, new float[] {0.5f})));
        GpuStreams.lookup(
                        clicks,
                        click -> LookupRequest.of(Bag.of("items", Combiner.SUM, click.item())),
                        items,
                        item -> VectorChange.upsert("items", item.item(), item.vector()),
                        GpuOptions.DEFAULT)
                .tables(EmbeddingTable.of("items", 2, ElementType.F32))
                .eventTime()
                .score(Scoring.of(network, 0, Feature.of("items")))
                .map(r -> r.record().time() + ": " + r.values().values()[0], Types.STRING)
                .print();
        env.execute("score clicks");
    }
}
