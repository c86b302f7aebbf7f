package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.api.WindowResultTypeInfo;

import org.apache.flink.api.common.InvalidProgramException;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.EventTimeTrigger;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Windows while the job is built: the graph that they become, and what is refused.
 *
 * <p>Covers: WindowedGpuStream, JobChecks, WindowStream.
 */
class WindowedGpuStreamTest {

    private static final Aggregates<Tuple2<String, Long>> SUM =
            Aggregates.of((Tuple2<String, Long> pair) -> pair.f1).sum();
    private static final String FLINKS_WAY =
            "use Flink's own operator with the same accumulators:"
                    + " keyBy(..).window(..).aggregate(new ExactAggregate<>(..))";

    private final StreamExecutionEnvironment env =
            StreamExecutionEnvironment.getExecutionEnvironment();
    private final DataStream<Tuple2<String, Long>> pairs = env.fromData(Tuple2.of("a", 1L));

    @Test
    void becomesALocalOperatorAtItsInputAndAWindowOperator() {
        DataStream<Tuple2<String, Long>> input = pairs.map(pair -> pair).returns(pairs.getType());
        ((SingleOutputStreamOperator<?>) input).setParallelism(3);
        keyed(input).window(minutes()).aggregate(SUM).setParallelism(2).uid("sums").print();
        Map<String, StreamNode> nodes = nodes();
        StreamNode local = nodes.get("gpu-local-aggregate");
        StreamNode window = nodes.get("gpu-window");
        assertThat(local.getTransformationUID()).isEqualTo("sums-local");
        assertThat(window.getTransformationUID()).isEqualTo("sums");
        assertThat(local.getParallelism()).isEqualTo(3);
        assertThat(window.getParallelism()).isEqualTo(2);
        assertThat(local.getInEdges().get(0).getPartitioner().toString()).isEqualTo("FORWARD");
        assertThat(local.getStatePartitioners()).isEmpty();
        assertThat(window.getStatePartitioners()).hasSize(1);
    }

    /** As with Flink's keyBy, whose partitioning takes the place of one before. */
    @Test
    void anEarlierKeyOrBroadcastIsNotTheLocalOperators() {
        DataStream<Tuple2<String, Long>> input =
                pairs.map(pair -> pair).returns(pairs.getType()).setParallelism(3);
        for (DataStream<Tuple2<String, Long>> partitioned :
                List.of(input.keyBy(pair -> pair.f0), input.rebalance().broadcast())) {
            SingleOutputStreamOperator<?> sums =
                    keyed(partitioned).window(minutes()).aggregate(SUM);
            Transformation<?> shuffle = sums.getTransformation().getInputs().get(0);
            Transformation<?> local = shuffle.getInputs().get(0);
            assertThat(local.getInputs()).containsExactly(input.getTransformation());
            assertThat(local.getParallelism()).isEqualTo(3);
        }
    }

    @Test
    void noCheckpointTakesPartialsOutOfTheShuffle() {
        windows().aggregate(SUM).rebalance().print();
        StreamNode window = nodes().get("gpu-window");
        assertThat(window.getInEdges().get(0).supportsUnalignedCheckpoints()).isFalse();
        assertThat(window.getOutEdges().get(0).supportsUnalignedCheckpoints()).isTrue();
    }

    @Test
    void recordsAreTakenOutOfTheShuffle() {
        windows().localAggregation(false).aggregate(SUM).print();
        assertThat(nodes().get("gpu-window").getInEdges().get(0).supportsUnalignedCheckpoints())
                .isTrue();
    }

    @Test
    void aKeyedStreamsKeyIsNotTheLocalOperators() {
        keyed(pairs.keyBy(pair -> pair.f0)).window(minutes()).aggregate(SUM).print();
        assertThat(nodes().get("gpu-local-aggregate").getStatePartitioners()).isEmpty();
    }

    @Test
    void behindARebalanceTheLocalOperatorHasTheJobsParallelism() {
        env.setParallelism(4);
        DataStream<Tuple2<String, Long>> input =
                pairs.map(pair -> pair).returns(pairs.getType()).setParallelism(3);
        keyed(input.rebalance()).window(minutes()).aggregate(SUM).print();
        StreamNode local = nodes().get("gpu-local-aggregate");
        assertThat(local.getParallelism()).isEqualTo(4);
        assertThat(local.getInEdges().get(0).getPartitioner().toString()).isEqualTo("REBALANCE");
    }

    @Test
    void behindAForwardItHasItsInputs() {
        env.setParallelism(4);
        DataStream<Tuple2<String, Long>> input =
                pairs.map(pair -> pair).returns(pairs.getType()).setParallelism(3);
        keyed(input.forward()).window(minutes()).aggregate(SUM).print();
        StreamNode local = nodes().get("gpu-local-aggregate");
        assertThat(local.getParallelism()).isEqualTo(3);
        assertThat(local.getInEdges().get(0).getPartitioner().toString()).isEqualTo("FORWARD");
    }

    @Test
    void keepsTheTypeOfKeys() {
        TypeInformation<?> type = windows().aggregate(SUM).getType();
        assertThat(type).isEqualTo(new WindowResultTypeInfo<>(Types.STRING, SUM.specs()));
        assertThat(windows().aggregate(SUM, WindowResult::key, Types.STRING).getType())
                .isEqualTo(Types.STRING);
    }

    /** The form of blocks is that of one version, and unaligned checkpoints may outlive it. */
    @Test
    void noBlockGetsIntoAnUnalignedCheckpoint() {
        keyed(pairs).countWindow(3).aggregate(SUM).print();
        assertThat(nodes().get("gpu-window").getInEdges().get(0).supportsUnalignedCheckpoints())
                .isFalse();
    }

    @Test
    void recordsOfCountWindowsMayBeInAnUnalignedCheckpoint() {
        keyed(pairs).countWindow(3).localAggregation(false).aggregate(SUM).print();
        assertThat(nodes().get("gpu-window").getInEdges().get(0).supportsUnalignedCheckpoints())
                .isTrue();
    }

    @Test
    void eachMethodGivesAChangedCopy() {
        WindowedGpuStream<Tuple2<String, Long>, String> windows = windows();
        OutputTag<Tuple2<String, Long>> late = new OutputTag<>("side") {};
        OutputTag<DeadLetter<Tuple2<String, Long>>> dead = new OutputTag<>("side") {};
        windows.sideOutputLateData(late);
        assertThat(windows.deadLetters(dead)).isNotNull();
        assertThatThrownBy(() -> windows.sideOutputLateData(late).deadLetters(dead))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "late records and dead letters need tags of their own: id='side'; give the"
                                + " tags different ids");
    }

    @Test
    void whatIsNotAcceleratedIsRefused() {
        assertThatThrownBy(() -> keyed(pairs).window(GlobalWindows.create()).aggregate(SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "GlobalWindows without a trigger, such as createWithEndOfStreamTrigger(),"
                                + " trigger(..) or countWindow(n), is not")
                .hasMessageEndingWith(FLINKS_WAY);
        assertThatThrownBy(() -> keyed(pairs).countWindow(3).flinkState(true).aggregate(SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("flinkState(true) with a trigger of its own is not")
                .hasMessageEndingWith(FLINKS_WAY);
        assertThatThrownBy(() -> windows().trigger(CountTrigger.of(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "the trigger "
                                + CountTrigger.class.getName()
                                + " of TumblingEventTimeWindows is not")
                .hasMessageEndingWith(FLINKS_WAY);
        assertThat(windows().trigger(EventTimeTrigger.create())).isNotNull();
        assertThatThrownBy(() -> windows().aggregate(SUM).enableAsyncState())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("leave out enableAsyncState()");
    }

    @Test
    void latenessIsNotNegative() {
        assertThatThrownBy(() -> windows().allowedLateness(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the allowed lateness must not be negative: lateness=PT-0.001S; use"
                                + " Duration.ZERO for none");
    }

    @Test
    void functionsAreSerializable() {
        Object notSerializable = new Object();
        assertThatThrownBy(() -> GpuStreams.on(pairs).keyBy(pair -> pair.f0 + notSerializable))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be serializable: selector=");
        Aggregates<Tuple2<String, Long>> sum =
                Aggregates.of((Tuple2<String, Long> pair) -> pair.f1 + notSerializable.hashCode())
                        .sum();
        assertThatThrownBy(() -> windows().aggregate(sum))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be serializable: getter=");
        assertThatThrownBy(
                        () ->
                                windows()
                                        .aggregate(
                                                SUM,
                                                result -> result.key() + notSerializable,
                                                Types.STRING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be serializable: mapper=");
    }

    @Test
    void theMemoryLimitHoldsTheBatches() {
        GpuOptions small =
                GpuOptions.DEFAULT
                        .withMemoryLimitBytes(16 << 20)
                        .withBatchPolicy(
                                new BatchPolicy(1 << 24, 256 << 20, Duration.ofMillis(20)));
        WindowedGpuStream<Tuple2<String, Long>, String> windows =
                GpuStreams.on(pairs).withOptions(small).keyBy(pair -> pair.f0).window(minutes());
        assertThatThrownBy(() -> windows.aggregate(SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memoryLimitBytes=16777216, needed=");
        assertThat(windows.localAggregation(false).aggregate(SUM)).isNotNull();
    }

    @Test
    void aggregatesFitTogether() {
        Aggregates<Tuple2<String, Long>> nothing =
                Aggregates.of((Tuple2<String, Long> pair) -> pair.f1);
        assertThatThrownBy(() -> windows().aggregate(nothing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a column must compute something");
    }

    @Test
    void keysThatFlinkRefusesAreRefusedAsFlinkDoes() {
        assertThatThrownBy(() -> GpuStreams.on(pairs).keyBy(pair -> new int[] {1}))
                .isInstanceOf(InvalidProgramException.class)
                .hasMessageContaining("cannot be used as key");
        assertThatThrownBy(() -> GpuStreams.on(pairs).keyBy(pair -> new WithoutHashCode()))
                .isInstanceOf(InvalidProgramException.class)
                .hasMessageContaining("cannot be used as key");
        assertThatThrownBy(
                        () ->
                                GpuStreams.on(pairs)
                                        .keyBy(
                                                pair -> Tuple2.of(pair.f0, new byte[1]),
                                                TypeInformation.of(
                                                        new TypeHint<Tuple2<String, byte[]>>() {})))
                .isInstanceOf(InvalidProgramException.class)
                .hasMessageContaining("cannot be used as key");
    }

    private WindowedGpuStream<Tuple2<String, Long>, String> windows() {
        return keyed(pairs).window(minutes());
    }

    private static KeyedGpuStream<Tuple2<String, Long>, String> keyed(
            DataStream<Tuple2<String, Long>> stream) {
        return GpuStreams.on(stream).keyBy(pair -> pair.f0);
    }

    private static TumblingEventTimeWindows minutes() {
        return TumblingEventTimeWindows.of(Duration.ofMinutes(1));
    }

    private Map<String, StreamNode> nodes() {
        StreamGraph graph = env.getStreamGraph();
        return graph.getStreamNodes().stream()
                .collect(Collectors.toMap(StreamNode::getOperatorName, Function.identity()));
    }

    /** A POJO that is no key. */
    public static final class WithoutHashCode {

        public int number;
    }
}
