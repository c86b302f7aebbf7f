package io.flinkgpu.operator.redact;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.TextSetter;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.column.StringFieldsCodec;
import io.flinkgpu.operator.FlushReason;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.commons.lang3.exception.ExceptionUtils;
import org.junit.jupiter.api.Test;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import static io.flinkgpu.operator.redact.RedactHarness.NEVER_FULL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Records several of whose fields are redacted.
 *
 * <p>Covers: StringFieldsCodec.
 */
class SeveralFieldsTest {

    private static final StringFieldCodec<Log> MESSAGE =
            field("message", log -> log.message, (log, text) -> log.with(text, log.exception));
    private static final StringFieldCodec<Log> EXCEPTION =
            field("exception", log -> log.exception, (log, text) -> log.with(log.message, text));

    private final List<Integer> batchRows = Collections.synchronizedList(new ArrayList<>());
    private final Script recordRows =
            (call, rows) -> {
                if (call == Call.SUBMIT) {
                    batchRows.add(rows);
                }
            };

    /** A record that can be changed. */
    public static final class Log implements Serializable {

        private static final long serialVersionUID = 1L;

        /** Public, as Flink's serializer asks of objects; likewise the next. */
        public String message;

        public String exception;

        public Log() {}

        Log(String message, String exception) {
            this.message = message;
            this.exception = exception;
        }

        Log with(String newMessage, String newException) {
            return new Log(newMessage, newException);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Log log
                    && Objects.equals(message, log.message)
                    && Objects.equals(exception, log.exception);
        }

        @Override
        public int hashCode() {
            return Objects.hash(message, exception);
        }

        @Override
        public String toString() {
            return message + "|" + exception;
        }
    }

    @Test
    void eachFieldIsRedactedByItself() throws Exception {
        try (RedactHarness<Log> harness = of(List.of(MESSAGE, EXCEPTION))) {
            harness.open();
            harness.processElement(new Log("a secret", "sec"), 1);
            harness.processElement(new Log("sec", "ret"), 2);
            harness.processElement(new StreamRecord<>(new Log("", "a \ud800 secret\nsecret")));
            harness.processWatermark(new Watermark(3));
            harness.processElement(new Log("läst secret", "läst secret"), 4);
            harness.endInput();
            assertThat(harness.getOutput())
                    .containsExactly(
                            new StreamRecord<>(new Log("a [X]", "sec"), 1),
                            new StreamRecord<>(new Log("sec", "ret"), 2),
                            new StreamRecord<>(new Log("", "a \ud800 [X]\n[X]")),
                            new Watermark(3),
                            new StreamRecord<>(new Log("läst [X]", "läst [X]"), 4));
        }
    }

    @Test
    void fieldsThatAreNullAreLeftAlone() throws Exception {
        try (RedactHarness<Log> harness = of(List.of(MESSAGE, EXCEPTION))) {
            harness.open();
            List<Log> logs =
                    List.of(
                            new Log(null, "secret"),
                            new Log("secret", null),
                            new Log(null, null),
                            new Log(null, "x"));
            for (Log log : logs) {
                harness.processElement(log, 1);
            }
            harness.endInput();
            assertThat(harness.output())
                    .containsExactly(
                            new Log(null, "[X]"), new Log("[X]", null), logs.get(2), logs.get(3));
        }
    }

    @Test
    void aSetterIsNotCalledForAFieldWithoutAMatch() throws Exception {
        StringFieldCodec<Log> unused =
                field(
                        "exception",
                        log -> log.exception,
                        (log, text) -> {
                            throw new AssertionError("nothing to set");
                        });
        try (RedactHarness<Log> harness = of(List.of(MESSAGE, unused))) {
            harness.open();
            harness.processElement(new Log("secret", "none"), 1);
            harness.processElement(new Log("secret", null), 2);
            harness.endInput();
            assertThat(harness.output())
                    .containsExactly(new Log("[X]", "none"), new Log("[X]", null));
        }
    }

    @Test
    void settersMayChangeTheRecordItself() throws Exception {
        StringFieldCodec<Log> message =
                field(
                        "message",
                        log -> log.message,
                        (log, text) -> {
                            log.message = text;
                            return log;
                        });
        StringFieldCodec<Log> exception =
                field(
                        "exception",
                        log -> log.exception,
                        (log, text) -> {
                            log.exception = text;
                            return log;
                        });
        try (RedactHarness<Log> harness = of(List.of(message, exception))) {
            harness.getExecutionConfig().enableObjectReuse();
            harness.open();
            Log reused = new Log("first secret", "secret one");
            StreamRecord<Log> record = new StreamRecord<>(reused, 1);
            harness.processElement(record);
            reused.message = "second";
            reused.exception = "secret two";
            harness.processElement(record.replace(reused, 2));
            reused.message = null;
            harness.endInput();
            assertThat(harness.getOutput().stream().map(Object::toString))
                    .containsExactly(
                            "Record @ 1 : first [X]|[X] one", "Record @ 2 : second|[X] two");
        }
    }

    @Test
    void theFieldsOfARecordAreInOneBatch() throws Exception {
        try (RedactHarness<Log> harness =
                RedactHarness.of(
                        new StringFieldsCodec<>(List.of(MESSAGE, EXCEPTION)),
                        TypeInformation.of(Log.class).createSerializer(new SerializerConfigImpl()),
                        NEVER_FULL.withMaxRows(5).withMaxBytes(20),
                        recordRows,
                        Script.NONE)) {
            harness.open();
            List<Object> expected = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                harness.processElement(new Log(i + "", "x"), i);
                expected.add(new Log(i + "", "x"));
            }
            // 19 bytes in one row, so that the second has no room; then more than a batch's bytes.
            harness.processElement(new Log("secret 3456789", "secret"), 5);
            expected.add(new Log("[X] 3456789", "[X]"));
            harness.processElement(new Log("secret 3456789 secret", null), 6);
            expected.add(new Log("[X] 3456789 [X]", null));
            harness.endInput();
            assertThat(harness.output()).isEqualTo(expected);
            assertThat(batchRows).containsExactly(4, 4, 2, 2);
            assertThat(harness.flushes(FlushReason.ROWS)).isEqualTo(2);
        }
    }

    @Test
    void aRecordOfMoreFieldsThanABatchHasRowsIsABatch() throws Exception {
        try (RedactHarness<Log> harness =
                RedactHarness.of(
                        new StringFieldsCodec<>(List.of(MESSAGE, EXCEPTION)),
                        TypeInformation.of(Log.class).createSerializer(new SerializerConfigImpl()),
                        NEVER_FULL.withMaxRows(1),
                        recordRows,
                        Script.NONE)) {
            harness.open();
            harness.processElement(new Log("1", "secret"), 1);
            harness.processElement(new Log("secret", "2"), 2);
            harness.endInput();
            assertThat(harness.output()).containsExactly(new Log("1", "[X]"), new Log("[X]", "2"));
            assertThat(batchRows).containsExactly(2, 2);
        }
    }

    /** A device with room for a row or three has the fields of a record in several parts. */
    @Test
    void fieldsInSeveralPartsOfABatchComeTogether() throws Exception {
        for (int room : new int[] {1, 3}) {
            Script fits =
                    (call, rows) -> {
                        if (call == Call.AWAIT && rows > room) {
                            throw new DeviceOutOfMemoryException("rows=" + rows);
                        }
                    };
            try (RedactHarness<Log> harness =
                    RedactHarness.of(
                            new StringFieldsCodec<>(List.of(MESSAGE, EXCEPTION, MESSAGE)),
                            TypeInformation.of(Log.class)
                                    .createSerializer(new SerializerConfigImpl()),
                            NEVER_FULL,
                            fits,
                            Script.NONE)) {
                harness.open();
                harness.processElement(new Log("secret 1", "1 secrets"), 1);
                harness.processElement(new Log("none", null), 2);
                harness.processElement(new Log("3", "secret"), 3);
                harness.processElement(new Log("sec", "ret"), 4);
                harness.endInput();
                assertThat(harness.output())
                        .containsExactly(
                                new Log("[X] 1", "1 [X]s"),
                                new Log("none", null),
                                new Log("3", "[X]"),
                                new Log("sec", "ret"));
                assertThat(harness.counter("gpu.splitBatches")).isPositive();
            }
        }
    }

    @Test
    void aSetterThatUndoesAnotherFailsTheTask() throws Exception {
        Log first = new Log("my secret", "your secret");
        StringFieldCodec<Log> undoes =
                field("exception", log -> log.exception, (log, text) -> first.with("raw", text));
        assertFails(
                "another: field='message', setter=" + SeveralFieldsTest.class.getName(),
                first,
                List.of(MESSAGE, undoes));
        StringFieldCodec<Log> fillsOther =
                field("message", log -> log.message, (log, text) -> log.with(text, "my secret"));
        assertFails("field='exception', ", new Log("secret", null), List.of(fillsOther, EXCEPTION));
        assertFails("field='exception', ", new Log("secret", "x"), List.of(fillsOther, EXCEPTION));
        StringFieldCodec<Log> ignores = field("message", log -> log.message, (log, text) -> log);
        assertFails("field='message', ", first, List.of(ignores, EXCEPTION));
        StringFieldCodec<Log> givesNull =
                field("exception", log -> log.exception, (log, text) -> null);
        assertFails(
                "a setter must give a record, and gave null: field='exception', setter=",
                first,
                List.of(MESSAGE, givesNull));
    }

    private static void assertFails(String error, Log log, List<StringFieldCodec<Log>> fields)
            throws Exception {
        try (RedactHarness<Log> harness = of(fields)) {
            harness.open();
            harness.processElement(log, 1);
            assertThatThrownBy(harness::endInput)
                    .hasStackTraceContaining(error)
                    .hasStackTraceContaining("; the record is not emitted: correct the setter")
                    .satisfies(
                            t ->
                                    assertThat(ExceptionUtils.getStackTrace(t))
                                            .doesNotContain("secret"));
            assertThat(harness.output()).isEmpty();
        }
    }

    private static RedactHarness<Log> of(List<StringFieldCodec<Log>> fields) throws Exception {
        return RedactHarness.of(
                new StringFieldsCodec<>(fields),
                TypeInformation.of(Log.class).createSerializer(new SerializerConfigImpl()),
                NEVER_FULL,
                Script.NONE,
                Script.NONE);
    }

    private static StringFieldCodec<Log> field(
            String name, TextGetter<Log> getter, TextSetter<Log> setter) {
        return new StringFieldCodec<>(name, getter, setter, ErrorValues.HIDDEN);
    }
}
