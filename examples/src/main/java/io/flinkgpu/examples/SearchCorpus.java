package io.flinkgpu.examples;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.stream.Stream;

/** The text that has most words in common with another one. */
public final class SearchCorpus {

    public record Text(long id, String words) {

        /** A set of numbers is what is searched; here they are hashes of words. */
        int[] elements() {
            return Stream.of(words.split(" ")).mapToInt(String::hashCode).distinct().toArray();
        }
    }

    private SearchCorpus() {}

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        // A query sees the changes of its time and before, and these come at once.
        WatermarkStrategy<Text> time =
                WatermarkStrategy.<Text>forMonotonousTimestamps()
                        .withTimestampAssigner((text, none) -> text.id());
        DataStream<Text> corpus =
                env.fromData(
                                new Text(1, "rain in the north and wind"),
                                new Text(2, "sun in the south"),
                                new Text(3, "the match was lost in the rain"))
                        .assignTimestampsAndWatermarks(time);
        DataStream<Text> asked =
                env.fromData(
                                new Text(100, "wind and rain in the north"),
                                new Text(101, "they lost the match"))
                        .assignTimestampsAndWatermarks(time);
        GpuStreams.search(
                        asked,
                        text -> SetQuery.of(1, text.elements()),
                        corpus,
                        text -> SetChange.upsert(text.id(), text.elements()),
                        GpuOptions.DEFAULT)
                .similarity(Similarity.JACCARD)
                .eventTime()
                .results()
                .map(found -> found.query().id() + " -> " + found.matches().id(0))
                .print();
        env.execute("search a corpus");
    }
}
