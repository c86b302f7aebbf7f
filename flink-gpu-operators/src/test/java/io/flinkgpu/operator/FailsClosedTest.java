package io.flinkgpu.operator;

import io.flinkgpu.api.TextSetter;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.operator.redact.RedactHarness;

import org.apache.flink.api.common.typeutils.base.StringSerializer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static io.flinkgpu.operator.redact.RedactHarness.NEVER_FULL;
import static io.flinkgpu.operator.redact.RedactHarness.ofStrings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Invariant: no path emits a record that was not redacted.
 *
 * <p>Covers: RedactSpec.
 */
class FailsClosedTest {

    private static final int RECORDS = 10;

    private final List<Object> output = new ArrayList<>();
    private final List<Integer> submittedRows = Collections.synchronizedList(new ArrayList<>());

    @ParameterizedTest
    @CsvSource({
        "OPEN, 1",
        "COMPILE, 1",
        "SUBMIT, 1",
        "SUBMIT, 3",
        "AWAIT, 1",
        "AWAIT, 2",
        "AWAIT, 5",
        "CLOSE_PROGRAM, 1",
        "CLOSE, 1"
    })
    void failsTheTaskWithTheBackendsErrorAsCause(Call failing, int time) throws Exception {
        BackendException error = new BackendException("device lost");
        RedactHarness<String> harness =
                ofStrings(NEVER_FULL.withMaxRows(2), failing(failing, time, error));
        Throwable thrown = catchThrowable(() -> run(harness));
        Throwable atClose = catchThrowable(harness::close);
        assertThat(thrown != null ? thrown : atClose).satisfies(t -> hasCause(t, error));
        assertOnlyRedacted(harness);
        if (failing == Call.SUBMIT || failing == Call.AWAIT) {
            assertThat(harness.output()).hasSize(2 * (time - 1));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"COMPILE", "SUBMIT", "AWAIT"})
    void survivesErrorsThatAreNoExceptions(Call failing) throws Exception {
        Script script =
                (call, rows) -> {
                    if (call == failing) {
                        throw new UnsatisfiedLinkError("no driver");
                    }
                };
        RedactHarness<String> harness = ofStrings(NEVER_FULL, script);
        assertThatThrownBy(() -> run(harness)).hasStackTraceContaining("no driver");
        harness.close();
        assertThat(harness.output()).isEmpty();
    }

    /** Flink ends the process for the first, and for the second where it is told to. */
    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"COMPILE", "SUBMIT", "AWAIT"})
    void whatTheProcessIsOfNoUseAfterReachesFlinkAsItIs(Call failing) throws Exception {
        FatalDeviceException lost = new FatalDeviceException("the context is lost");
        RedactHarness<String> harness = ofStrings(NEVER_FULL, failing(failing, 1, lost));
        assertThatThrownBy(() -> run(harness))
                .isExactlyInstanceOf(InternalError.class)
                .hasMessage("the context is lost")
                .hasCause(lost);
        harness.close();
        OutOfMemoryError noHeap = new OutOfMemoryError("made up");
        Script script =
                (call, rows) -> {
                    if (call == failing) {
                        throw noHeap;
                    }
                };
        RedactHarness<String> second = ofStrings(NEVER_FULL, script);
        assertThatThrownBy(() -> run(second)).isSameAs(noHeap);
        second.close();
        assertThat(second.output()).isEmpty();
    }

    /** The text would leave as it came, or the record would be another. */
    @Test
    void aSetterThatDoesNotSetWhatTheGetterReadsFailsTheTask() throws Exception {
        assertThatThrownBy(() -> redactWith((record, text) -> record))
                .hasStackTraceContaining(
                        "the getter must read the text that the setter was given, and reads another:"
                                + " setter="
                                + FailsClosedTest.class.getName())
                .hasStackTraceContaining("; the record is not emitted: correct the setter")
                .satisfies(t -> assertThat(stackTrace(t)).doesNotContain("my secret"));
        assertThatThrownBy(() -> redactWith((record, text) -> null))
                .hasStackTraceContaining("a setter must give a record, and gave null: setter=");
        redactWith((record, text) -> text);
        assertThat(output).containsExactly("my [X]");
    }

    private void redactWith(TextSetter<String> setter) throws Exception {
        try (RedactHarness<String> harness =
                RedactHarness.of(
                        new StringFieldCodec<>(text -> text, setter),
                        StringSerializer.INSTANCE,
                        NEVER_FULL,
                        Script.NONE,
                        Script.NONE)) {
            harness.open();
            try {
                harness.processElement("my secret", 1);
                harness.endInput();
            } finally {
                output.addAll(harness.output());
            }
        }
    }

    private static String stackTrace(Throwable thrown) {
        StringWriter all = new StringWriter();
        thrown.printStackTrace(new PrintWriter(all));
        return all.toString();
    }

    @Test
    void emitsNothingBehindAFailedBatchWhateverIsAskedFor() throws Exception {
        BackendException error = new BackendException("device lost");
        RedactHarness<String> harness =
                ofStrings(NEVER_FULL.withMaxRows(1), failing(Call.AWAIT, 1, error));
        harness.open();
        harness.processElement("secret 1", 1);
        harness.processElement("secret 2", 2);
        assertThatThrownBy(() -> harness.prepareSnapshotPreBarrier(1))
                .satisfies(t -> hasCause(t, error));
        assertThatThrownBy(harness::endInput).satisfies(t -> hasCause(t, error));
        harness.close();
        assertThat(harness.output()).isEmpty();
    }

    @Test
    void halvesABatchTheDeviceHasNoMemoryFor() throws Exception {
        Script fitsThreeRows =
                (call, rows) -> {
                    if (call == Call.AWAIT && rows > 3) {
                        throw new DeviceOutOfMemoryException("rows=" + rows);
                    }
                    submittedRows.add(rows);
                };
        Script unused =
                (call, rows) -> {
                    throw new BackendException("the CPU is not needed");
                };
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL, fitsThreeRows, unused)) {
            run(harness);
            assertThat(harness.output()).hasSize(RECORDS);
            assertOnlyRedacted(harness);
            assertThat(submittedRows).contains(5, 2, 3);
            assertThat(harness.counter("gpu.splitBatches")).isEqualTo(1);
            assertThat(harness.counter("gpu.cpuFallbackBatches")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"SUBMIT", "AWAIT"})
    void runsOnTheCpuWhatTheDeviceNeverHasMemoryFor(Call failing) throws Exception {
        Script noMemory =
                (call, rows) -> {
                    if (call == failing) {
                        throw new DeviceOutOfMemoryException("rows=" + rows);
                    }
                };
        Script cpu =
                (call, rows) -> {
                    if (call == Call.SUBMIT) {
                        submittedRows.add(rows);
                    }
                };
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(4), noMemory, cpu)) {
            run(harness);
            assertThat(harness.output()).hasSize(RECORDS);
            assertOnlyRedacted(harness);
            assertThat(submittedRows).containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
            assertThat(harness.counter("gpu.splitBatches")).isEqualTo(3);
            assertThat(harness.counter("gpu.cpuFallbackBatches")).isEqualTo(RECORDS);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"OPEN", "COMPILE", "SUBMIT", "AWAIT", "CLOSE"})
    void failsWhenTheCpuFailsAsWell(Call failing) throws Exception {
        BackendException error = new BackendException("cpu lost");
        Script noMemory =
                (call, rows) -> {
                    if (call == Call.SUBMIT) {
                        throw new DeviceOutOfMemoryException("rows=" + rows);
                    }
                };
        RedactHarness<String> harness =
                ofStrings(NEVER_FULL.withMaxRows(2), noMemory, failing(failing, 1, error));
        Throwable thrown = catchThrowable(() -> run(harness));
        Throwable atClose = catchThrowable(harness::close);
        assertThat(thrown != null ? thrown : atClose).satisfies(t -> hasCause(t, error));
        assertOnlyRedacted(harness);
    }

    private static void run(RedactHarness<String> harness) throws Exception {
        harness.open();
        for (int i = 0; i < RECORDS; i++) {
            harness.processElement("secret " + i, i);
        }
        harness.endInput();
    }

    private static Script failing(Call failing, int time, BackendException error) {
        AtomicInteger calls = new AtomicInteger();
        return (call, rows) -> {
            if (call == failing && calls.incrementAndGet() == time) {
                throw error;
            }
        };
    }

    private static void hasCause(Throwable thrown, Throwable cause) {
        Throwable t = thrown;
        while (t != null && t != cause) {
            t = t.getCause();
        }
        assertThat(t).as("a cause of %s", thrown).isSameAs(cause);
    }

    private static void assertOnlyRedacted(RedactHarness<String> harness) {
        for (int i = 0; i < harness.output().size(); i++) {
            assertThat(harness.output().get(i)).isEqualTo("[X] " + i);
        }
    }
}
