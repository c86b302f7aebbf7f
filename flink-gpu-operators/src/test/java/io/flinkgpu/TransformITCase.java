package io.flinkgpu;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.testkit.Clusters;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.api.expression.Redactions.nameByVisibility;
import static io.flinkgpu.testkit.Clusters.list;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Expressions on a cluster in this process, generic types switched off; with and without a failure.
 *
 * <p>Covers: Transforms.
 */
@Timeout(300)
class TransformITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int ROWS = 20_000;
    private static final GpuOptions OPTIONS =
            GpuOptions.DEFAULT
                    .withBackend(BackendChoice.CPU)
                    .withBatchPolicy(new BatchPolicy(100, 4096, Duration.ofMillis(20)));
    private static final TypeInformation<Person> PERSON = TypeInformation.of(Person.class);
    private static final Columns<Person> PEOPLE =
            Columns.<Person>empty()
                    .text("name", Person::name)
                    .text("visibility", Person::visibility)
                    .longs("number", Person::number);

    /** Public, as Flink's serializer asks of records. */
    public record Person(long number, String name, String visibility) {

        static Person of(long number) {
            return new Person(
                    number,
                    number % 11 == 0 ? null : "First" + number % 7 + " Läst" + number,
                    number % 3 == 0 ? "public" : number % 3 == 1 ? "private" : null);
        }

        String redacted() {
            if (!"public".equals(visibility)) {
                return "X X";
            }
            return name == null ? null : "L " + name.substring(0, name.indexOf(' '));
        }
    }

    @BeforeEach
    void forgetTheFailure() {
        FailsOnce.FAILED.set(false);
    }

    @ParameterizedTest
    @EnumSource(
            value = RuntimeExecutionMode.class,
            names = {"STREAMING", "BATCH"})
    void rowsAreThoseOfTheRecords(RuntimeExecutionMode mode) throws Exception {
        Configuration config = new Configuration();
        config.set(ExecutionOptions.RUNTIME_MODE, mode);
        StreamExecutionEnvironment env = environment(config).setParallelism(2);
        DataStream<Row> rows =
                GpuStreams.on(people(env))
                        .withOptions(OPTIONS)
                        .transform(
                                PEOPLE,
                                nameByVisibility().as("name"),
                                col("visibility"),
                                longCol("number"),
                                longCol("number").lessThan(5));
        // Behind a shuffle they are found by name as well.
        List<Row> actual = list(rows.keyBy(row -> row.<Long>getFieldAs("number") % 3));
        List<Row> expected = new ArrayList<>();
        for (long number = 0; number < ROWS; number++) {
            Person person = Person.of(number);
            expected.add(Row.of(person.redacted(), person.visibility(), number, number < 5));
        }
        actual.sort(Comparator.comparing(row -> row.<Long>getFieldAs("number")));
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void afterAFailureTheSameRecords(boolean unaligned, boolean objectReuse) throws Exception {
        StreamExecutionEnvironment env = failing(unaligned, objectReuse).setParallelism(1);
        DataStream<Person> people =
                GpuStreams.on(people(env).rebalance())
                        .withOptions(OPTIONS)
                        .transform(
                                PEOPLE,
                                List.of(nameByVisibility().as("redacted")),
                                (person, row) ->
                                        person.number() % 5 == 0
                                                ? null
                                                : new Person(
                                                        person.number(),
                                                        row.getFieldAs("redacted"),
                                                        null),
                                PERSON)
                        .rebalance()
                        .map(new FailsOnce<>(ROWS / 2))
                        .returns(PERSON);
        List<Person> expected = new ArrayList<>();
        for (long number = 0; number < ROWS; number++) {
            if (number % 5 != 0) {
                expected.add(new Person(number, Person.of(number).redacted(), null));
            }
        }
        // The collecting sink gives records of completed checkpoints only, so none twice.
        assertThat(list(people)).isEqualTo(expected);
        assertThat(FailsOnce.FAILED).isTrue();
    }

    @Test
    void afterAFailureTheSameChunks() throws Exception {
        StreamExecutionEnvironment env = failing(false, true).setParallelism(1);
        DataStream<LineChunk> chunks =
                env.fromSequence(0, ROWS / 10 - 1)
                        .map(TransformITCase::chunk)
                        .returns(LineChunkTypeInfo.INSTANCE);
        DataStream<LineChunk> transformed =
                GpuStreams.transform(
                                chunks.rebalance(),
                                concat(
                                        col("line").after(" ").upper(),
                                        lit("|"),
                                        col("line").left(2)),
                                OPTIONS)
                        .rebalance()
                        .map(new FailsOnce<>(ROWS / 15))
                        .returns(LineChunkTypeInfo.INSTANCE);
        List<LineChunk> expected = new ArrayList<>();
        for (long number = 0; number < ROWS / 10; number++) {
            String lines = ("LINE|ä" + number % 10 + "\n").repeat(2) + "LAST|ä" + number % 10;
            expected.add(new LineChunk("f", number, lines.getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(list(transformed)).isEqualTo(expected);
        assertThat(FailsOnce.FAILED).isTrue();
    }

    @Test
    void keyedStreamsToo() throws Exception {
        StreamExecutionEnvironment env = environment(new Configuration()).setParallelism(2);
        DataStream<Person> keyed = people(env).keyBy(Person::number);
        List<Row> rows =
                list(
                        GpuStreams.on(keyed)
                                .withOptions(OPTIONS)
                                .transform(PEOPLE, longCol("number")));
        assertThat(rows).hasSize(ROWS).doesNotHaveDuplicates();
    }

    private static LineChunk chunk(long number) {
        String digit = "ä" + number % 10;
        String lines = digit + " line\n" + digit + " line\n" + digit + " last";
        return new LineChunk("f", number, lines.getBytes(StandardCharsets.UTF_8));
    }

    private static DataStream<Person> people(StreamExecutionEnvironment env) {
        return env.fromSequence(0, ROWS - 1).map(Person::of).returns(PERSON);
    }

    private static StreamExecutionEnvironment failing(boolean unaligned, boolean objectReuse) {
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, unaligned);
        config.set(PipelineOptions.OBJECT_REUSE, objectReuse);
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return environment(config);
    }

    private static StreamExecutionEnvironment environment(Configuration config) {
        config.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.getExecutionEnvironment(config);
    }

    /** Passes records on, slowly, and fails once, some time after a checkpoint if there was one. */
    private static final class FailsOnce<T> implements MapFunction<T, T>, CheckpointListener {

        private static final long serialVersionUID = 1L;

        static final AtomicBoolean FAILED = new AtomicBoolean();

        private static final int SLEEPS = 2000;

        private final int latest;
        private int count;
        private int failingCount;

        /**
         * @param latest the record it fails at, if no checkpoint was completed before
         */
        FailsOnce(int latest) {
            this.latest = latest;
            this.failingCount = latest;
        }

        @Override
        public T map(T record) throws InterruptedException {
            if (!FAILED.get() && count % Math.max(1, latest / SLEEPS) == 0) {
                Thread.sleep(1);
            }
            if (++count >= failingCount && FAILED.compareAndSet(false, true)) {
                throw new IllegalStateException("fails once");
            }
            return record;
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            failingCount = Math.min(failingCount, count + 50);
        }
    }
}
