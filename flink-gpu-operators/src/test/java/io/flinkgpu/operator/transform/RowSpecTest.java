package io.flinkgpu.operator.transform;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.StringBuilderSerializer;
import io.flinkgpu.operator.transform.PersonHarness.Person;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
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
import static io.flinkgpu.operator.transform.PersonHarness.RESULTS;
import static io.flinkgpu.operator.transform.PersonHarness.of;
import static io.flinkgpu.operator.transform.PersonHarness.ofNames;
import static io.flinkgpu.operator.transform.TransformHarness.NEVER_FULL;
import static io.flinkgpu.operator.transform.TransformHarness.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What expressions over records emit, and when their batches end.
 *
 * <p>Covers: RowSpec.
 */
@Timeout(120)
class RowSpecTest {

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
        try (TransformHarness<Person, Row> harness = ofRows()) {
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
        try (TransformHarness<Person, Row> harness = ofRows()) {
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
                        RESULTS,
                        (person, row) ->
                                person.age() == 2
                                        ? null
                                        : person.age() + row.<String>getFieldAs("name"),
                        Types.STRING,
                        OPTIONS,
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

    private static TransformHarness<Person, Row> ofRows() throws Exception {
        return of(RESULTS, (person, row) -> row, ROW, OPTIONS, Script.NONE);
    }
}
