package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LineRangeTypeInfo;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.TextExpression;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamNode;

import org.junit.jupiter.api.Test;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import static io.flinkgpu.api.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which shuffles before a redaction have aligned barriers, and what is warned of.
 *
 * <p>Covers: RawRecords.
 */
class RawRecordsTest {

    private static final RuleSet RULES = RuleSet.of(Rule.of("word", "secret", Action.label("X")));

    private final StreamExecutionEnvironment env = environment(true);

    @Test
    void allShufflesBeforeARedactionAreAligned() {
        DataStream<String> raw = lines(4).keyBy(line -> line).map(same()).rebalance();
        redact(raw).rebalance().print();
        assertThat(inEdges("Map")).containsExactly(false);
        assertThat(inEdges("gpu-redact")).containsExactly(false);
        assertThat(inEdges("Sink")).containsExactly(true);
    }

    @Test
    void shufflesBeforeAnExpressionThatRedactsAreAligned() {
        transform(col("line").redact(RULES)).print();
        assertThat(inEdges("gpu-transform")).containsExactly(false);
    }

    @Test
    void thoseBeforeAnotherExpressionAreAsTheJobSays() {
        transform(col("line").upper()).print();
        assertThat(inEdges("gpu-transform")).containsExactly(true);
    }

    @Test
    void aShuffleThatFlinkWouldAddIsMadeAligned() {
        redact(lines(1)).print();
        StreamNode redaction = node("gpu-redact");
        assertThat(redaction.getInEdges().get(0).getPartitioner().toString())
                .isEqualTo("REBALANCE");
        assertThat(inEdges("gpu-redact")).containsExactly(false);
    }

    @Test
    void allInputsOfAUnionAreAligned() {
        redact(lines(4).keyBy(line -> line).union(lines(1))).print();
        assertThat(node("gpu-redact").getInEdges())
                .extracting(edge -> edge.getPartitioner().toString())
                .containsExactlyInAnyOrder("HASH", "REBALANCE");
        assertThat(inEdges("gpu-redact")).containsExactly(false, false);
    }

    @Test
    void aChainStaysAChain() {
        redact(lines(4)).print();
        assertThat(node("gpu-redact").getInEdges().get(0).getPartitioner().toString())
                .isEqualTo("FORWARD");
    }

    @Test
    void rangesOfFilesHaveNoText() {
        DataStream<LineRange> ranges =
                lines(1).map(line -> (LineRange) null)
                        .returns(LineRangeTypeInfo.INSTANCE)
                        .rebalance();
        GpuStreams.redactLines(ranges, RULES, GpuOptions.DEFAULT).print();
        assertThat(inEdges("gpu-redact")).containsExactly(true);
        assertThat(RawRecords.warnings(ranges, 4)).isEmpty();
    }

    @Test
    void warnsOfWhatCannotBeAligned() {
        assertThat(RawRecords.warnings(lines(1), 4))
                .containsExactly(
                        "records cross a shuffle before they are redacted that Flink adds where the"
                                + " parallelism changes: shuffles=[from parallelism 1 to 4 after"
                                + " 'Map']; unaligned checkpoints contain them as they are: call"
                                + " rebalance() there, or leave out unaligned checkpoints");
        DataStream<String> before = lines(1).map(same()).setParallelism(3).rebalance();
        assertThat(RawRecords.warnings(before, 4))
                .singleElement()
                .asString()
                .contains("shuffles=[from parallelism 1 to 3 after 'Map']");
        assertThat(RawRecords.warnings(lines(4).rebalance(), 2)).isEmpty();
    }

    @Test
    void warnsOfNothingWhereBarriersAreAligned() {
        StreamExecutionEnvironment aligned = environment(false);
        assertThat(RawRecords.warnings(lines(aligned, 1).map(same()), 4)).isEmpty();
        aligned.setRuntimeMode(RuntimeExecutionMode.STREAMING);
        assertThat(RawRecords.warnings(lines(aligned, 1).map(same()).rebalance(), 4)).isEmpty();
    }

    @Test
    void warnsOfShufflesInBatchExecution() {
        for (RuntimeExecutionMode mode :
                List.of(RuntimeExecutionMode.BATCH, RuntimeExecutionMode.AUTOMATIC)) {
            env.setRuntimeMode(mode);
            assertThat(RawRecords.warnings(lines(4).rebalance(), 4))
                    .containsExactly(
                            "records cross a shuffle before they are redacted:"
                                    + " shuffles=[REBALANCE after 'Map']; in batch execution Flink"
                                    + " writes them to files in io.tmp.dirs as they are: encrypt"
                                    + " those folders, or redact before the shuffle");
            assertThat(RawRecords.warnings(lines(4), 4)).isEmpty();
            assertThat(RawRecords.warnings(lines(4), 2))
                    .singleElement()
                    .asString()
                    .contains("shuffles=[from parallelism 4 to 2 after 'Map']");
        }
    }

    private static StreamExecutionEnvironment environment(boolean unaligned) {
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(config).setParallelism(4);
        env.enableCheckpointing(1000);
        return env;
    }

    private DataStream<String> lines(int parallelism) {
        return lines(env, parallelism);
    }

    /** All of one parallelism, so that only a reader's parallelism makes a shuffle. */
    private static DataStream<String> lines(StreamExecutionEnvironment env, int parallelism) {
        SingleOutputStreamOperator<Long> numbers =
                env.fromSequence(1, 9).setParallelism(parallelism);
        return numbers.map(String::valueOf).returns(Types.STRING).setParallelism(parallelism);
    }

    private static MapFunction<String, String> same() {
        return line -> line;
    }

    private static SingleOutputStreamOperator<String> redact(DataStream<String> lines) {
        return GpuStreams.redact(
                lines, line -> line, (line, text) -> text, RULES, GpuOptions.DEFAULT);
    }

    private SingleOutputStreamOperator<?> transform(TextExpression expression) {
        return GpuStreams.on(lines(4).rebalance())
                .transform(Columns.<String>empty().text("line", line -> line), expression);
    }

    private StreamNode node(String name) {
        Collection<StreamNode> nodes = env.getStreamGraph(false).getStreamNodes();
        return nodes.stream()
                .filter(node -> node.getOperatorName().contains(name))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private List<Boolean> inEdges(String name) {
        Function<StreamEdge, Boolean> unaligned = StreamEdge::supportsUnalignedCheckpoints;
        return node(name).getInEdges().stream().map(unaligned).toList();
    }
}
