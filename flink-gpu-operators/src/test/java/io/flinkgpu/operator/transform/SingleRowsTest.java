package io.flinkgpu.operator.transform;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.StringBuilderSerializer;
import io.flinkgpu.operator.transform.PersonHarness.Person;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Row;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.operator.transform.PersonHarness.PEOPLE;
import static io.flinkgpu.operator.transform.PersonHarness.PERSON;
import static io.flinkgpu.operator.transform.PersonHarness.RESULTS;
import static io.flinkgpu.operator.transform.TransformHarness.NEVER_FULL;
import static io.flinkgpu.operator.transform.TransformHarness.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Expressions over records where the backend prefers one record at a time.
 *
 * <p>Covers: SingleRows.
 */
@Timeout(120)
class SingleRowsTest {

    /** A name that {@link #INITIAL} cuts within an unpaired surrogate. */
    private static final String NEEDS_BATCH = "\ud800x";

    private static final List<Expression> INITIAL = List.of(col("name").left(1).as("name"));

    private static final List<Expression> RESULTS_OF_CUT =
            List.of(col("name").left(1).as("name"), longCol("age").as("age"));

    private static final TypeInformation<Row> ROW =
            Types.ROW_NAMED(
                    new String[] {"name", "age", "minor", "weight"},
                    Types.STRING,
                    Types.LONG,
                    Types.BOOLEAN,
                    Types.DOUBLE);

    @Test
    void aRecordIsEmittedAsSoonAsItComes() throws Exception {
        try (TransformHarness<Person, Row> harness =
                TransformHarness.ofCpu(
                        PERSON, PEOPLE, RESULTS, (person, row) -> row, ROW, OPTIONS)) {
            harness.open();
            harness.processElement(new Person("Ada", 36, 0.5), 7);
            harness.processElement(new StreamRecord<>(new Person(null, null, -0.0)));
            harness.processWatermark(3);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.processElement(new Person("\ud800é", 17, Double.NaN), -3);
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>(Row.of("<Ada>", 36L, false, 0.5), 7),
                            new StreamRecord<>(Row.of(null, null, null, -0.0)),
                            new Watermark(3),
                            WatermarkStatus.IDLE,
                            new StreamRecord<>(Row.of("<\ud800é>", 17L, true, Double.NaN), -3));
            Row first = (Row) harness.output().get(0);
            assertThat(first.<String>getFieldAs("name")).isEqualTo("<Ada>");
            assertThat(harness.getProcessingTimeService().getNumActiveTimers()).isZero();
            assertThat(harness.gauge("gpu.allocatedBytes")).isEqualTo(heldWhenOpened());
            assertThat(harness.counter("gpu.singleRows")).isEqualTo(3);
        }
    }

    private static Object heldWhenOpened() throws Exception {
        try (TransformHarness<Person, Row> harness =
                TransformHarness.ofCpu(
                        PERSON, PEOPLE, RESULTS, (person, row) -> row, ROW, OPTIONS)) {
            harness.open();
            return harness.gauge("gpu.allocatedBytes");
        }
    }

    @Test
    void noBatchIsFlushedAndThereIsNoState() throws Exception {
        try (TransformHarness<Person, String> harness = ofNames(RESULTS, OPTIONS)) {
            harness.open();
            for (int i = 0; i < 5; i++) {
                harness.processElement(new Person("p" + i, i, i), i);
            }
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.snapshot(1, 0).hasState()).isFalse();
            harness.processWatermark(Watermark.MAX_WATERMARK);
            harness.endInput();
            assertThat(harness.output())
                    .containsExactly(
                            "<p0>", "<p1>", "<p2>", "<p3>", "<p4>", Watermark.MAX_WATERMARK);
            for (FlushReason reason : FlushReason.values()) {
                assertThat(harness.flushes(reason)).as(reason.name()).isZero();
            }
        }
    }

    @Test
    void recordsBehindOneThatNeedsABatchJoinIt() throws Exception {
        try (TransformHarness<Person, String> harness = ofNames(INITIAL, OPTIONS)) {
            harness.open();
            harness.processElement(new Person("ab", 1, 1), 1);
            harness.processElement(new Person(NEEDS_BATCH, 1, 1), 2);
            harness.processWatermark(2);
            harness.processElement(new Person("cd", 1, 1), 3);
            assertThat(harness.output()).containsExactly("a");
            harness.prepareSnapshotPreBarrier(1);
            harness.processElement(new Person("ef", 1, 1), 4);
            assertThat(harness.output()).containsExactly("a", "\ufffd", new Watermark(2), "c", "e");
            assertThat(harness.counter("gpu.singleRows")).isEqualTo(2);
            assertThat(harness.flushes(FlushReason.CHECKPOINT)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sameOutputAsInBatches(long seed) throws Exception {
        Random random = new Random(seed);
        List<Object> input = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String name = random.nextInt(20) == 0 ? NEEDS_BATCH : "n" + random.nextInt(5);
            int kind = random.nextInt(8);
            input.add(
                    kind == 0
                            ? new Watermark(i)
                            : kind == 1
                                    ? "barrier"
                                    : new StreamRecord<>(new Person(name, i, 0), i));
        }
        GpuOptions options =
                OPTIONS.withBatchPolicy(
                        NEVER_FULL
                                .withMaxRows(1 + random.nextInt(10))
                                .withMaxDelay(Duration.ofMillis(1 + random.nextInt(20))));
        List<Object> expected;
        try (TransformHarness<Person, String> batches =
                PersonHarness.of(
                        RESULTS_OF_CUT,
                        (person, row) -> person.age() + row.<String>getFieldAs("name"),
                        Types.STRING,
                        OPTIONS,
                        Script.NONE)) {
            expected = fed(batches, input);
        }
        try (TransformHarness<Person, String> single = ofCut(options)) {
            assertThat(fed(single, input)).as("seed=%d", seed).isEqualTo(expected);
            assertThat(single.counter("gpu.singleRows")).isPositive();
        }
    }

    private static TransformHarness<Person, String> ofCut(GpuOptions options) throws Exception {
        return TransformHarness.ofCpu(
                PERSON,
                PEOPLE,
                RESULTS_OF_CUT,
                (person, row) -> person.age() + row.<String>getFieldAs("name"),
                Types.STRING,
                options);
    }

    @SuppressWarnings("unchecked") // The input has records of people only.
    private static List<Object> fed(TransformHarness<Person, String> harness, List<Object> input)
            throws Exception {
        harness.open();
        long time = 0;
        for (Object element : input) {
            harness.setProcessingTime(time++);
            harness.runMails();
            if (element instanceof Watermark mark) {
                harness.processWatermark(mark);
            } else if (element instanceof StreamRecord<?> record) {
                harness.processElement(
                        ((StreamRecord<Person>) record).copy((Person) record.getValue()));
            } else {
                harness.prepareSnapshotPreBarrier(time);
            }
        }
        harness.endInput();
        return new ArrayList<>(harness.getOutput());
    }

    @Test
    void aMapperSeesTheRecordAndLeavesOutWhatItReturnsNullFor() throws Exception {
        try (TransformHarness<Person, String> harness =
                TransformHarness.ofCpu(
                        PERSON,
                        PEOPLE,
                        RESULTS,
                        (person, row) ->
                                person.age() == 2
                                        ? null
                                        : person.age() + row.<String>getFieldAs("name"),
                        Types.STRING,
                        OPTIONS)) {
            harness.open();
            for (int age = 1; age <= 3; age++) {
                harness.processElement(new Person("x", age, 0), age);
            }
            assertThat(harness.getOutput())
                    .containsExactly(new StreamRecord<>("1<x>", 1), new StreamRecord<>("3<x>", 3));
        }
    }

    @Test
    void keepsNothingOfAReusedRecord() throws Exception {
        Columns<StringBuilder> columns =
                Columns.<StringBuilder>empty().text("text", StringBuilder::toString);
        try (TransformHarness<StringBuilder, String> harness =
                TransformHarness.ofCpu(
                        new StringBuilderSerializer(),
                        columns,
                        List.of(col("text").left(1).upper().as("text")),
                        (record, row) -> record + "|" + row.<String>getFieldAs("text"),
                        Types.STRING,
                        OPTIONS)) {
            harness.getExecutionConfig().enableObjectReuse();
            harness.open();
            StringBuilder reused = new StringBuilder("first");
            for (String text : List.of("first", NEEDS_BATCH, "second")) {
                reused.replace(0, reused.length(), text);
                harness.processElement(new StreamRecord<>(reused, text.length()));
            }
            reused.setLength(0);
            harness.endInput();
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>("first|F", 5),
                            new StreamRecord<>(NEEDS_BATCH + "|\ufffd", 2),
                            new StreamRecord<>("second|S", 6));
        }
    }

    @Test
    void aGetterThatThrowsFailsTheTaskNamingItsColumn() throws Exception {
        Columns<Person> columns =
                Columns.<Person>empty()
                        .longs(
                                "age",
                                (Person person) -> {
                                    int age = person.age();
                                    return age;
                                });
        try (TransformHarness<Person, Long> harness =
                TransformHarness.ofCpu(
                        PERSON,
                        columns,
                        List.of(longCol("age").as("age")),
                        (person, row) -> row.getFieldAs("age"),
                        Types.LONG,
                        OPTIONS)) {
            harness.open();
            harness.processElement(new Person("a", 1, 1), 0);
            assertThatThrownBy(() -> harness.processElement(new Person("b", null, 1), 0))
                    .hasMessageContaining("column='age'")
                    .hasMessageContaining("exception=java.lang.NullPointerException");
            assertThat(harness.output()).containsExactly(1L);
        }
    }

    @Test
    void redactionGoesInBatches() throws Exception {
        RuleSet rules = RuleSet.of(Rule.of("digits", "[0-9]+", Action.label("#")));
        try (TransformHarness<Person, String> harness =
                ofNames(List.of(col("name").redact(rules).as("name")), OPTIONS)) {
            harness.open();
            harness.processElement(new Person("p12", 1, 1), 0);
            assertThat(harness.output()).isEmpty();
            harness.endInput();
            assertThat(harness.output()).containsExactly("p#");
            assertThat(harness.counter("gpu.singleRows")).isZero();
        }
    }

    @Test
    void givesAllMemoryBackWithAnOpenBatch() throws Exception {
        TransformHarness<Person, String> harness = ofNames(INITIAL, OPTIONS);
        harness.open();
        harness.processElement(new Person("a", 1, 1), 0);
        harness.processElement(new Person(NEEDS_BATCH, 1, 1), 0);
        // Throws if a byte is held.
        harness.close();
        assertThat(harness.output()).containsExactly("a");
    }

    private static TransformHarness<Person, String> ofNames(
            List<Expression> expressions, GpuOptions options) throws Exception {
        return TransformHarness.ofCpu(
                PERSON,
                PEOPLE,
                expressions,
                (person, row) -> row.getFieldAs("name"),
                Types.STRING,
                options);
    }
}
