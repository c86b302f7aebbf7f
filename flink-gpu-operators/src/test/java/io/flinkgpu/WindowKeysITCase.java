package io.flinkgpu;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.DeadLetter;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.WindowResult;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.text.KeyedHash;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple1;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

import static io.flinkgpu.testkit.Clusters.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Windows of every type of key, on a cluster with generic types switched off.
 *
 * <p>Covers: KeyedHash.
 */
@Timeout(300)
class WindowKeysITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int NUMBERS = 2000;
    private static final Aggregates<Long> STATS =
            Aggregates.of((Long number) -> number).sum().and((Long n) -> 1L).named("one").count();
    private static final WindowAssigner<Object, ?> SLIDING =
            SlidingEventTimeWindows.of(Duration.ofMillis(300), Duration.ofMillis(100));

    /** A POJO as a key. */
    public static class Place {

        public String name;
        public int floor;

        public Place() {}

        Place(String name, int floor) {
            this.name = name;
            this.floor = floor;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place that && name.equals(that.name) && floor == that.floor;
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, floor);
        }

        @Override
        public String toString() {
            return name + floor;
        }
    }

    enum Weather {
        RAIN,
        SUN {
            @Override
            public String toString() {
                return "shine";
            }
        },
        WIND
    }

    @ParameterizedTest
    @EnumSource(
            value = RuntimeExecutionMode.class,
            names = {"STREAMING", "BATCH"})
    void keysOfEveryType(RuntimeExecutionMode mode) throws Exception {
        check(mode, n -> "s" + n % 7, Types.STRING, Objects::toString);
        check(mode, n -> n % 5, Types.LONG, Objects::toString);
        check(mode, n -> (int) (n % 5), Types.INT, Objects::toString);
        check(
                mode,
                n -> new byte[] {(byte) (n % 4), -1},
                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                HexFormat.of()::formatHex);
        check(mode, n -> Weather.values()[(int) (n % 3)], Types.ENUM(Weather.class), Enum::name);
        check(
                mode,
                n -> Tuple2.of("t" + n % 2, n % 3),
                TypeInformation.of(new TypeHint<Tuple2<String, Long>>() {}),
                Objects::toString);
        check(
                mode,
                n -> new Place("p" + n % 2, (int) (n % 3)),
                Types.POJO(Place.class),
                Objects::toString);
        check(
                mode,
                n -> DayOfWeek.of(1 + (int) (n % 7)),
                TypeInformation.of(DayOfWeek.class),
                Enum::name);
    }

    @Test
    void theGlobalWindowFiresAtTheEnd() throws Exception {
        for (RuntimeExecutionMode mode :
                List.of(RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH)) {
            DataStream<Long> numbers = numbers(mode);
            List<String> results =
                    collect(
                            GpuStreams.on(numbers)
                                    .withOptions(options())
                                    .keyBy(n -> n % 2)
                                    .window(GlobalWindows.createWithEndOfStreamTrigger())
                                    .aggregate(STATS, WindowKeysITCase::text, Types.STRING)
                                    .uid("all"));
            assertThat(results)
                    .as("%s", mode)
                    .containsExactlyInAnyOrder("0 999000 1000", "1 1000000 1000");
        }
    }

    @Test
    void aPersonalKeyIsKeptAndShownHashed(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("key"), "0123456789abcdef");
        KeyedHash hash = new KeyedHash(HashKey.fromFile(file).load());
        List<String> expected = new ArrayList<>();
        for (int user = 0; user < 2; user++) {
            byte[] digits = new byte[20];
            byte[] text = ("user" + user).getBytes(StandardCharsets.UTF_8);
            hash.write(text, 0, text.length, digits.length, digits, 0);
            expected.add(
                    new String(digits, StandardCharsets.US_ASCII)
                            + (user == 0 ? " 999000 1000" : " 1000000 1000"));
        }
        GpuStream<Long> numbers =
                GpuStreams.on(numbers(RuntimeExecutionMode.STREAMING))
                        .withOptions(options().withHashKey(HashKey.fromFile(file)));
        List<String> results =
                collect(
                        numbers.keyByHash(n -> "user" + n % 2, 20)
                                .window(TumblingEventTimeWindows.of(Duration.ofMillis(NUMBERS)))
                                .aggregate(STATS, WindowKeysITCase::text, Types.STRING)
                                .uid("hashed"));
        assertThat(results).containsExactlyInAnyOrderElementsOf(expected);
        assertThatThrownBy(() -> numbers.keyByHash(n -> "user", 15))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hexDigits=15");
        assertThatThrownBy(() -> numbers.withOptions(options()).keyByHash(n -> "user", 20))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keyByHash needs a key");
    }

    @Test
    void aMapperMakesARecordOrNone() throws Exception {
        SingleOutputStreamOperator<Tuple2<Long, Long>> odd =
                GpuStreams.on(numbers(RuntimeExecutionMode.STREAMING))
                        .withOptions(options())
                        .keyBy(n -> n % 4)
                        .window(TumblingEventTimeWindows.of(Duration.ofMillis(NUMBERS)))
                        .aggregate(
                                STATS,
                                result ->
                                        result.key() % 2 == 0
                                                ? null
                                                : Tuple2.of(
                                                        result.endMillis(),
                                                        result.values().getLong(0)),
                                Types.TUPLE(Types.LONG, Types.LONG));
        assertThat(list(odd))
                .containsExactlyInAnyOrder(
                        Tuple2.of((long) NUMBERS, 499_500L), Tuple2.of((long) NUMBERS, 500_500L));
    }

    @Test
    void lateRecordsAndDeadLettersHaveSideOutputs() throws Exception {
        OutputTag<Long> late = new OutputTag<>("late", Types.LONG);
        OutputTag<DeadLetter<Long>> dead = new OutputTag<>("dead") {};
        DataStream<Long> numbers = numbers(RuntimeExecutionMode.STREAMING);
        SingleOutputStreamOperator<WindowResult<Long>> sums =
                GpuStreams.on(numbers)
                        .withOptions(options())
                        .keyBy(n -> n == 77 ? null : n % 3, Types.LONG)
                        .window(SLIDING)
                        .sideOutputLateData(late)
                        .deadLetters(dead)
                        .aggregate(STATS);
        sums.uid("sums");
        CloseableIterator<Long> lateRecords = sums.getSideOutput(late).collectAsync();
        CloseableIterator<DeadLetter<Long>> deadLetters = sums.getSideOutput(dead).collectAsync();
        CloseableIterator<WindowResult<Long>> results = sums.collectAsync();
        numbers.getExecutionEnvironment().execute();
        long rows = 0;
        for (WindowResult<Long> result : list(results)) {
            rows += result.values().getLong("one_count");
        }
        assertThat(rows).isEqualTo(3L * (NUMBERS - 1));
        assertThat(list(lateRecords)).isEmpty();
        List<DeadLetter<Long>> letters = list(deadLetters);
        assertThat(letters).hasSize(1);
        assertThat(letters.get(0).record()).isEqualTo(77);
        assertThat(letters.get(0).reason()).contains("a key must not be null");
    }

    @Test
    void aSelectorMayChangeTheKeyThatItGaveBefore() throws Exception {
        for (WindowAssigner<Object, ?> windows :
                List.of(SLIDING, EventTimeSessionWindows.withGap(Duration.ofMillis(3)))) {
            List<String> results =
                    collect(
                            GpuStreams.on(numbers(RuntimeExecutionMode.STREAMING))
                                    .withOptions(options())
                                    .keyBy(new Reusing(), Types.TUPLE(Types.LONG))
                                    .window(windows)
                                    .localAggregation(false)
                                    .aggregate(STATS, WindowKeysITCase::text, Types.STRING)
                                    .uid("sums"));
            List<String> expected =
                    collect(
                            GpuStreams.on(numbers(RuntimeExecutionMode.STREAMING))
                                    .withOptions(options())
                                    .keyBy(n -> Tuple1.of(n % 7), Types.TUPLE(Types.LONG))
                                    .window(windows)
                                    .aggregate(STATS, WindowKeysITCase::text, Types.STRING)
                                    .uid("sums"));
            assertThat(results).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /** Gives one object for all keys. */
    private static final class Reusing implements KeySelector<Long, Tuple1<Long>> {

        private static final long serialVersionUID = 1L;

        private final Tuple1<Long> key = new Tuple1<>();

        @Override
        public Tuple1<Long> getKey(Long number) {
            key.f0 = number % 7;
            return key;
        }
    }

    private static <K> void check(
            RuntimeExecutionMode mode,
            KeySelector<Long, K> selector,
            TypeInformation<K> keyType,
            Function<K, String> name)
            throws Exception {
        SingleOutputStreamOperator<WindowResult<K>> sums =
                GpuStreams.on(numbers(mode))
                        .withOptions(options())
                        .keyBy(selector, keyType)
                        .window(SLIDING)
                        .aggregate(STATS)
                        .uid("sums");
        List<String> actual = new ArrayList<>();
        for (WindowResult<K> result : list(sums)) {
            actual.add(
                    name.apply(result.key())
                            + " "
                            + result.startMillis()
                            + " "
                            + result.values().getLong("sum")
                            + " "
                            + result.values().getLong("one_count"));
        }
        TreeMap<String, long[]> expected = new TreeMap<>();
        for (long n = 0; n < NUMBERS; n++) {
            for (long start = n / 100 * 100; start > n - 300; start -= 100) {
                String window = name.apply(selector.getKey(n)) + " " + start;
                long[] sumAndCount = expected.computeIfAbsent(window, ignored -> new long[2]);
                sumAndCount[0] += n;
                sumAndCount[1]++;
            }
        }
        List<String> rows = new ArrayList<>();
        expected.forEach((window, values) -> rows.add(window + " " + values[0] + " " + values[1]));
        assertThat(actual).as("%s %s", mode, keyType).containsExactlyInAnyOrderElementsOf(rows);
    }

    private static String text(WindowResult<?> result) {
        return result.key()
                + " "
                + result.values().getLong("sum")
                + " "
                + result.values().getLong("one_count");
    }

    private static DataStream<Long> numbers(RuntimeExecutionMode mode) {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        configuration.set(ExecutionOptions.RUNTIME_MODE, mode);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(2);
        return env.fromSequence(0, NUMBERS - 1)
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Long>forBoundedOutOfOrderness(Duration.ofSeconds(10))
                                .withTimestampAssigner((number, before) -> number));
    }

    private static GpuOptions options() {
        return GpuOptions.DEFAULT
                .withBackend(BackendChoice.CPU)
                .withBatchPolicy(new BatchPolicy(64, 1 << 20, Duration.ofMillis(20)));
    }

    private static List<String> collect(DataStream<String> stream) throws Exception {
        return list(stream);
    }
}
