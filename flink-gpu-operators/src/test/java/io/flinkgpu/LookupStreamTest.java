package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.Missing;
import io.flinkgpu.api.lookup.VectorChange;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.TwoInputTransformation;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.OutputTag;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a lookup is built of, and what cannot be built.
 *
 * <p>Covers: LookupStream, Missing.
 */
class LookupStreamTest {

    private static final OutputTag<RefusedRecord> TAG = new OutputTag<>("refused") {};
    private static final EmbeddingTable TABLE = EmbeddingTable.of("t", 4, ElementType.F32);

    private final StreamExecutionEnvironment env = environment();
    private final DataStream<Long> numbers = env.fromData(1L).uid("numbers");
    private final LookupStream<Long, Long> lookup = lookup(GpuOptions.DEFAULT);

    private static StreamExecutionEnvironment environment() {
        Configuration config = new Configuration();
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(3);
        return env;
    }

    private LookupStream<Long, Long> lookup(GpuOptions options) {
        return GpuStreams.lookup(
                numbers,
                i -> LookupRequest.of(),
                numbers,
                i -> VectorChange.delete("t", i),
                options);
    }

    @Test
    void missingArgumentsAreNamed() {
        Map<ThrowingCallable, String> calls = new LinkedHashMap<>();
        calls.put(() -> lookup(null), "options");
        calls.put(() -> lookup.tables((EmbeddingTable[]) null), "tables");
        calls.put(() -> lookup.tables(TABLE, null), "table");
        calls.put(() -> lookup.rebase(null, 1), "directory");
        calls.put(() -> lookup.deadLetters(null), "tag");
        calls.put(() -> lookup.tables(TABLE).map(null, Types.LONG), "mapper");
        calls.put(() -> lookup.tables(TABLE).map(LookupResult::record, null), "type");
        BuilderArgumentsTest.assertNamed(calls);
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keyedRequestsMakeNoKeyedLookup(boolean eventTime) {
        LookupStream<Long, Long> keyed =
                GpuStreams.lookup(
                                numbers.keyBy(i -> i),
                                i -> LookupRequest.of(),
                                numbers,
                                i -> VectorChange.delete("t", i),
                                GpuOptions.DEFAULT)
                        .tables(TABLE);
        DataStream<?> results = (eventTime ? keyed.eventTime() : keyed).results();
        TwoInputTransformation<?, ?, ?> looksUp =
                (TwoInputTransformation<?, ?, ?>) results.getTransformation();
        assertThat(looksUp.getStateKeyType()).isNull();
    }

    @Test
    void whatCannotBeIsRefused() {
        assertRefused(
                () -> lookup.parallelism(0),
                "at least one subtask looks up: parallelism=0; use 1 for one");
        assertRefused(
                () -> lookup.hostBytes(-1),
                "vectors take memory or none: hostBytes=-1; use 0 for none");
        assertRefused(
                () -> lookup.deviceBytes(-1),
                "vectors take memory or none: deviceBytes=-1; use 0 for none");
        assertRefused(
                () -> lookup.rebase("/models", 0),
                "a table without changes needs no new base file: minChanges=0; use 1 for any");
        assertRefused(lookup::results, "a lookup has a table: tables=[]; add one with tables(..)");
        assertRefused(
                () -> lookup.tables(TABLE).tables(TABLE).results(),
                "each table has a name of its own: tables=2, names=1; rename one");
        assertRefused(
                () ->
                        lookup(GpuOptions.DEFAULT.withMemoryLimitBytes(16 << 20))
                                .tables(TABLE)
                                .results(),
                "the memory limit must hold the batches on their way and their results:"
                        + " memoryLimitBytes=16777216, needed=");
    }

    @Test
    void tablesThatCannotBeAreRefused() {
        assertRefused(
                () -> EmbeddingTable.of("", 1, ElementType.F32),
                "a table has a name: name=\"\"; give it one");
        assertRefused(
                () -> EmbeddingTable.of("t", 65_537, ElementType.F32),
                "the vectors of a table have 1 to 65536 elements: table=t, dimension=65537; split"
                        + " longer ones into several tables");
        assertRefused(
                () -> TABLE.withMissing(Missing.vector(1, 2)),
                "what a missing id gives has as many elements as the table's vectors: table=t,"
                        + " dimension=4, elements=2; use constant(..) for the same number in all");
        assertRefused(
                () -> BaseFile.raw("/models/t").withIds("ids"),
                "only a file of tensors has names of them: format=RAW; leave out withIds(..)");
    }

    /** Of a NaN, too, where the plan of a job is sent. */
    @Test
    void whatAMissingIdGivesKeepsItsBits() throws Exception {
        float nan = Float.intBitsToFloat(0xff800001);
        for (Missing missing : List.of(Missing.constant(nan), Missing.vector(-0f, nan))) {
            Missing sent = InstantiationUtil.clone(missing);
            assertThat(sent).isEqualTo(missing).hasSameHashCodeAs(missing);
            assertThat(Float.floatToRawIntBits(sent.values(2)[1])).isEqualTo(0xff800001);
        }
        assertThat(Missing.vector(0f)).isNotEqualTo(Missing.vector(-0f));
    }

    /** Each operator has a uid, as the job needs them all; changes are read by one subtask. */
    @Test
    void oneUidNamesAllOperators() {
        lookup.tables(TABLE)
                .deadLetters(TAG)
                .results()
                .uid("lookup")
                .name("lookup")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        List<String> nodes =
                env.getStreamGraph(false).getStreamNodes().stream()
                        .map(node -> node.getTransformationUID() + " " + node.getParallelism())
                        .toList();
        assertThat(nodes)
                .containsExactlyInAnyOrder(
                        "numbers 1",
                        "lookup-changes 1",
                        "lookup 3",
                        "lookup-dead-letters 3",
                        "sink 3");
    }

    @Test
    void itIsExplained() {
        assertThat(
                        lookup(GpuOptions.DEFAULT.withBackend(BackendChoice.CUDA))
                                .tables(
                                        TABLE.withMissing(Missing.skip()),
                                        EmbeddingTable.of("u", 32, ElementType.INT8)
                                                .withMissing(Missing.constant(0.5f))
                                                .withBase(BaseFile.raw("/models/u")))
                                .hostBytes(1 << 20)
                                .deviceBytes(0)
                                .rebase("/models", 1_000)
                                .eventTime()
                                .parallelism(2)
                                .explain())
                .isEqualTo(
                        """
                        lookup of embeddings: tables=2
                          t: 4 x F32, a missing id gives skip
                          u: 32 x INT8, a missing id gives constant 0.5, base file RAW /models/u
                        order: event time, changes before requests of the same timestamp
                        subtasks: parallelism=2, each with all tables
                        runs on: a GPU
                        memory of a subtask: hostBytes=1048576, on a GPU deviceBytes=0; other vectors are read from files
                        rebase: a table with at least 1000 changes, when the job starts from state
                        """);
        assertThat(lookup.tables(TABLE).explain())
                .contains(
                        "order: arrival\n",
                        "parallelism=of the job",
                        "runs on: a GPU where one opens and is faster with small tables, else the CPU\n",
                        "rebase: never\n");
    }
}
