package io.flinkgpu.operator.transform;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.expression.Columns;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.transform.PersonHarness.Person;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.watermark.Watermark;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static io.flinkgpu.api.expression.Expressions.col;
import static io.flinkgpu.api.expression.Expressions.longCol;
import static io.flinkgpu.operator.transform.PersonHarness.PERSON;
import static io.flinkgpu.operator.transform.PersonHarness.ofNames;
import static io.flinkgpu.operator.transform.TransformHarness.NEVER_FULL;
import static io.flinkgpu.operator.transform.TransformHarness.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Batches that fail, results that do not fit, and what is held in the end.
 *
 * <p>Covers: RowSpec.
 */
@Timeout(120)
class TransformFailuresTest {

    @Test
    void splitsABatchThatTheDeviceHasNoMemoryForAndFallsBackToTheCpu() throws Exception {
        Script noMemory =
                (call, rows) -> {
                    if (call == Call.SUBMIT && rows > 1) {
                        throw new DeviceOutOfMemoryException("rows=" + rows);
                    }
                };
        try (TransformHarness<Person, String> harness = ofNames(OPTIONS, noMemory)) {
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
                ofNames(col("name").replace("a", label), options)) {
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
                ofNames(
                        col("name").replace("a", "X".repeat(1000)),
                        OPTIONS.withMemoryLimitBytes(16 << 20))) {
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
        AtomicInteger batches = new AtomicInteger();
        Script failing =
                (call, rows) -> {
                    if (call == Call.SUBMIT && batches.incrementAndGet() == 2) {
                        throw new BackendException("device lost");
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
                    .hasMessageContaining("exception=java.lang.NullPointerException");
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
}
