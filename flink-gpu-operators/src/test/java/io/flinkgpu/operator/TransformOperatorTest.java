package io.flinkgpu.operator;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.TransformMapper;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.operator.FakeBackend.Call;
import io.flinkgpu.operator.FakeBackend.Script;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.doubleCol;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.operator.TransformHarness.NEVER_FULL;
import static io.flinkgpu.operator.TransformHarness.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What expressions over records emit, and when their batches end. */
@Timeout(120)
class TransformOperatorTest {

    private record Person(String name, Integer age, double weight) {}

    private static final TypeSerializer<Person> PERSON =
            TypeInformation.of(Person.class).createSerializer(new SerializerConfigImpl());
    private static final Columns<Person> PEOPLE =
            Columns.<Person>empty()
                    .text("name", Person::name)
                    .longs("age", Person::age)
                    .doubles("weight", Person::weight);
    private static final List<Expression> RESULTS =
            List.of(
                    concat(lit("<"), col("name"), lit(">")).as("name"),
                    longCol("age").as("age"),
                    longCol("age").lessThan(18).as("minor"),
                    doubleCol("weight").as("weight"));
    private static final TypeInformation<Row> ROW =
            Types.ROW_NAMED(
                    new String[] {"name", "age", "minor", "weight"},
                    Types.STRING,
                    Types.LONG,
                    Types.BOOLEAN,
                    Types.DOUBLE);

    private final List<Integer> batchRows = Collections.synchronizedList(new ArrayList<>());
    private final Script recordRows =
            (call, rows) -> {
                if (call == Call.SUBMIT) {
                    batchRows.add(rows);
                }
            };

    @Test
    void keepsOrderTimestampsAndNulls() throws Exception {
        try (TransformHarness<Person, Row> harness = ofRows(OPTIONS, Script.NONE)) {
            harness.open();
            harness.processElement(new Person("Ada", 36, 0.5), 7);
            harness.processElement(new StreamRecord<>(new Person(null, null, -0.0)));
            harness.processElement(new Person("\ud800é", 17, Double.NaN), -3);
            harness.endInput();
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>(Row.of("<Ada>", 36L, false, 0.5), 7),
                            new StreamRecord<>(Row.of(null, null, null, -0.0)),
                            new StreamRecord<>(Row.of("<\ud800é>", 17L, true, Double.NaN), -3));
        }
    }

    @Test
    void resultsHaveNames() throws Exception {
        try (TransformHarness<Person, Row> harness = ofRows(OPTIONS, Script.NONE)) {
            harness.open();
            harness.processElement(new Person("Ada", 36, 0.5), 7);
            harness.endInput();
            Row row = (Row) harness.output().get(0);
            assertThat(row.<String>getFieldAs("name")).isEqualTo("<Ada>");
            assertThat(row.<Long>getFieldAs("age")).isEqualTo(36);
            assertThat(row.getFieldNames(true)).containsExactly("name", "age", "minor", "weight");
        }
    }

    @Test
    void aMapperSeesTheRecordAndLeavesOutWhatItReturnsNullFor() throws Exception {
        try (TransformHarness<Person, String> harness =
                of(
                        (person, row) ->
                                person.age() == 2
                                        ? null
                                        : person.age() + row.<String>getFieldAs("name"),
                        Types.STRING,
                        OPTIONS,
                        Script.NONE,
                        Script.NONE)) {
            harness.open();
            for (int age = 1; age <= 3; age++) {
                harness.processElement(new Person("x", age, 0), age);
                harness.processWatermark(age);
            }
            harness.endInput();
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>("1<x>", 1),
                            new Watermark(1),
                            new Watermark(2),
                            new StreamRecord<>("3<x>", 3),
                            new Watermark(3));
        }
    }

    @Test
    void watermarksKeepTheirPlacesAcrossBatches() throws Exception {
        try (TransformHarness<Person, String> harness =
                ofNames(OPTIONS.withBatchPolicy(NEVER_FULL.withMaxRows(2)), recordRows)) {
            harness.open();
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                harness.processElement(new Person("p" + i, i, i), i);
                harness.processWatermark(i);
                expected.add("<p" + i + ">");
                expected.add(new Watermark(i));
            }
            harness.processWatermark(Watermark.MAX_WATERMARK);
            expected.add(Watermark.MAX_WATERMARK);
            assertThat(harness.output()).isEqualTo(expected);
            assertThat(batchRows).containsExactly(2, 2, 1);
            assertThat(harness.flushes(FlushReason.ROWS)).isEqualTo(2);
            assertThat(harness.flushes(FlushReason.WATERMARK)).isEqualTo(1);
        }
    }

    @Test
    void endsABatchAtItsBytesAndTakesALargerRecordAlone() throws Exception {
        // A row has two numbers of 8 bytes, a text 10 or 1000.
        try (TransformHarness<Person, String> harness =
                ofNames(OPTIONS.withBatchPolicy(NEVER_FULL.withMaxBytes(60)), recordRows)) {
            harness.open();
            String large = "x".repeat(1000);
            for (String name : List.of("0123456789", "0123456789", "0123456789", large, "0")) {
                harness.processElement(new Person(name, 1, 1), 0);
            }
            harness.endInput();
            assertThat(batchRows).containsExactly(2, 1, 1, 1);
            assertThat(harness.flushes(FlushReason.BYTES)).isEqualTo(3);
            assertThat(harness.counter("gpu.bytesIn")).isEqualTo(5 * 16 + 3 * 10 + 1000 + 1);
            assertThat(harness.output()).hasSize(5).contains("<" + large + ">");
        }
    }

    @Test
    void endsABatchWhenItsFirstRowHasWaited() throws Exception {
        GpuOptions options =
                OPTIONS.withBatchPolicy(NEVER_FULL.withMaxDelay(Duration.ofMillis(20)));
        try (TransformHarness<Person, String> harness = ofNames(options, recordRows)) {
            harness.open();
            harness.setProcessingTime(100);
            harness.processElement(new Person("a", 1, 1), 0);
            harness.setProcessingTime(119);
            harness.processElement(new Person("b", 1, 1), 0);
            assertThat(batchRows).isEmpty();
            harness.setProcessingTime(120);
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("<a>", "<b>");
        }
    }

    @Test
    void noBatchIsOpenAtABarrierAndThereIsNoState() throws Exception {
        try (TransformHarness<Person, String> harness =
                ofNames(OPTIONS.withBatchPolicy(NEVER_FULL.withMaxRows(2)), Script.NONE)) {
            harness.open();
            Object heldByTheProgram = harness.gauge("gpu.allocatedBytes");
            for (int i = 0; i < 5; i++) {
                harness.processElement(new Person("p" + i, i, i), i);
            }
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.output()).containsExactly("<p0>", "<p1>", "<p2>", "<p3>", "<p4>");
            assertThat(harness.gauge("gpu.inFlightBatches")).isEqualTo(0);
            assertThat(harness.gauge("gpu.allocatedBytes")).isEqualTo(heldByTheProgram);
            OperatorSubtaskState state = harness.snapshot(1, 0);
            assertThat(state.hasState()).isFalse();
        }
    }

    @Test
    void copiesWhatItKeepsWhenObjectsAreReused() throws Exception {
        Columns<StringBuilder> columns =
                Columns.<StringBuilder>empty().text("text", StringBuilder::toString);
        try (TransformHarness<StringBuilder, String> harness =
                TransformHarness.of(
                        new StringBuilderSerializer(),
                        columns,
                        List.of(col("text").upper().as("text")),
                        (record, row) -> record + "|" + row.<String>getFieldAs("text"),
                        Types.STRING,
                        OPTIONS,
                        Script.NONE,
                        Script.NONE)) {
            harness.getExecutionConfig().enableObjectReuse();
            harness.open();
            StringBuilder reused = new StringBuilder("first");
            StreamRecord<StringBuilder> record = new StreamRecord<>(reused, 1);
            harness.processElement(record);
            reused.replace(0, reused.length(), "second");
            record.replace(reused, 2);
            harness.processElement(record);
            reused.setLength(0);
            harness.endInput();
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>("first|FIRST", 1),
                            new StreamRecord<>("second|SECOND", 2));
        }
    }

    @Test
    void splitsABatchThatTheDeviceHasNoMemoryForAndFallsBackToTheCpu() throws Exception {
        Script noMemory =
                (call, rows) -> {
                    if (call == Call.SUBMIT && rows > 1) {
                        throw new DeviceOutOfMemoryException("rows=" + rows);
                    }
                };
        try (TransformHarness<Person, String> harness =
                of(
                        (person, row) -> row.getFieldAs("name"),
                        Types.STRING,
                        OPTIONS,
                        noMemory,
                        Script.NONE)) {
            harness.open();
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                harness.processElement(new Person("p" + i, i, i), i);
                harness.processWatermark(i);
                expected.add("<p" + i + ">");
                expected.add(new Watermark(i));
            }
            harness.endInput();
            assertThat(harness.output()).isEqualTo(expected);
            assertThat(harness.counter("gpu.splitBatches")).isEqualTo(1);
            assertThat(harness.counter("gpu.cpuFallbackBatches")).isEqualTo(4);
        }
    }

    @Test
    void resultsLargerThanTheMemoryComeInParts() throws Exception {
        String label = "X".repeat(1 << 16);
        GpuOptions options = OPTIONS.withMemoryLimitBytes(16 << 20);
        try (TransformHarness<Person, String> harness =
                TransformHarness.of(
                        PERSON,
                        PEOPLE,
                        List.of(col("name").replace("a", label).as("name")),
                        (person, row) -> row.getFieldAs("name"),
                        Types.STRING,
                        options,
                        Script.NONE,
                        Script.NONE)) {
            harness.open();
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                harness.processElement(new Person(i + "a", i, i), i);
                expected.add(i + label);
            }
            harness.endInput();
            // Not containsExactly, which would print them.
            assertThat(harness.output().equals(expected)).as("the same texts").isTrue();
            assertThat(harness.counter("gpu.splitBatches")).isPositive();
        }
    }

    @Test
    void saysWhatToDoAboutAResultThatNeverFits() throws Exception {
        try (TransformHarness<Person, String> harness =
                TransformHarness.of(
                        PERSON,
                        PEOPLE,
                        List.of(col("name").replace("a", "X".repeat(1000)).as("name")),
                        (person, row) -> row.getFieldAs("name"),
                        Types.STRING,
                        OPTIONS.withMemoryLimitBytes(16 << 20),
                        Script.NONE,
                        Script.NONE)) {
            harness.open();
            harness.processElement(new Person("b", 1, 1), 0);
            harness.processElement(new Person("a".repeat(1 << 16), 1, 1), 1);
            harness.processElement(new Person("c", 1, 1), 2);
            assertThatThrownBy(harness::endInput)
                    .cause()
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith(
                            "no memory for the result of a single row: memoryLimitBytes=16777216")
                    .hasMessageEndingWith("or shorten the texts or what replaces them");
            assertThat(harness.output()).containsExactly("b");
        }
    }

    @Test
    void nothingIsEmittedBehindAFailure() throws Exception {
        Script failing =
                (call, rows) -> {
                    if (call == Call.SUBMIT) {
                        batchRows.add(rows);
                        if (batchRows.size() == 2) {
                            throw new BackendException("device lost");
                        }
                    }
                };
        TransformHarness<Person, String> harness =
                ofNames(OPTIONS.withBatchPolicy(NEVER_FULL.withMaxRows(1)), failing);
        harness.open();
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 5; i++) {
                                harness.processElement(new Person("p" + i, i, i), i);
                            }
                            harness.endInput();
                        })
                .hasMessageStartingWith("a batch failed and was not emitted, nor is any behind it")
                .hasRootCauseMessage("device lost");
        // Throws if a byte is held.
        harness.close();
        assertThat(harness.output()).containsExactly("<p0>");
    }

    @Test
    void aGetterThatThrowsFailsTheTaskAndNamesItsColumn() throws Exception {
        Columns<Person> columns =
                Columns.<Person>empty().longs("age", (Person person) -> (long) person.age());
        try (TransformHarness<Person, Long> harness =
                TransformHarness.of(
                        PERSON,
                        columns,
                        List.of(longCol("age").as("age")),
                        (person, row) -> row.getFieldAs("age"),
                        Types.LONG,
                        OPTIONS,
                        Script.NONE,
                        Script.NONE)) {
            harness.open();
            harness.processElement(new Person("a", 1, 1), 0);
            assertThatThrownBy(() -> harness.processElement(new Person("b", null, 1), 0))
                    .hasMessageContaining("column='age'")
                    .hasCauseInstanceOf(NullPointerException.class);
        }
    }

    @Test
    void givesAllMemoryBackWithAnOpenBatch() throws Exception {
        TransformHarness<Person, String> harness = ofNames(OPTIONS, Script.NONE);
        harness.open();
        harness.processElement(new Person("a", 1, 1), 0);
        // Throws if a byte is held.
        harness.close();
        assertThat(harness.output()).isEmpty();
    }

    private static TransformHarness<Person, Row> ofRows(GpuOptions options, Script script)
            throws Exception {
        return of((person, row) -> row, ROW, options, script, Script.NONE);
    }

    private static TransformHarness<Person, String> ofNames(GpuOptions options, Script script)
            throws Exception {
        return of(
                (person, row) -> row.getFieldAs("name"),
                Types.STRING,
                options,
                script,
                Script.NONE);
    }

    private static <R> TransformHarness<Person, R> of(
            TransformMapper<Person, R> mapper,
            TypeInformation<R> type,
            GpuOptions options,
            Script script,
            Script fallback)
            throws Exception {
        return TransformHarness.of(
                PERSON, PEOPLE, RESULTS, mapper, type, options, script, fallback);
    }
}
