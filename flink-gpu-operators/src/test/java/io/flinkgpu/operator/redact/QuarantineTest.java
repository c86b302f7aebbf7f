package io.flinkgpu.operator.redact;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.RefusedRecord;
import io.flinkgpu.api.TextGetter;
import io.flinkgpu.api.TextSetter;
import io.flinkgpu.column.StringFieldCodec;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Records that cannot be redacted do not leave, and do not stop the others.
 *
 * <p>Covers: Quarantine, StringFieldCodec.
 */
class QuarantineTest {

    private static final OutputTag<RefusedRecord> TAG = new OutputTag<>("refused") {};
    private static final long MEMORY_BYTES = 16 << 20;
    private static final BatchPolicy SMALL = new BatchPolicy(100, 1 << 16, Duration.ofMinutes(10));

    private static final TextGetter<String> GETTER =
            text -> {
                if (text.startsWith("number")) {
                    Integer.parseInt(text);
                }
                return text;
            };
    private static final TextSetter<String> SETTER =
            (record, text) -> {
                if (record.startsWith("frozen")) {
                    throw new IllegalStateException("cannot change " + record);
                }
                return record.startsWith("lost") ? null : record.startsWith("deaf") ? record : text;
            };

    private final List<String> left = new ArrayList<>();
    private final List<RefusedRecord> refused = new ArrayList<>();

    @Test
    void whatCannotBeRedactedStaysAndTheOthersLeaveInOrder() throws Exception {
        String large = "secret ".repeat(3 << 20);
        List<String> in =
                List.of(
                        "1 secret",
                        "number secret",
                        "2",
                        "frozen secret",
                        "lost secret",
                        "frozen",
                        "deaf secret",
                        "number 4111",
                        large,
                        "number 7",
                        "3 secret");
        redact(in, TAG);
        assertThat(left).containsExactly("1 [X]", "2", "frozen", "3 [X]");
        String unread =
                "its text cannot be read: a getter must not throw: field='text',.*"
                        + "exception=java.lang.NumberFormatException .hidden.*";
        String unmade = "it cannot be made with the redacted text: ";
        Map<Long, String> reasons =
                Map.of(
                        2L,
                        unread,
                        4L,
                        unmade + "a setter must not throw: .*IllegalStateException .hidden.*",
                        5L,
                        unmade + "a setter must give a record, and gave null: .*",
                        7L,
                        unmade + "the getter must read the text that the setter was given.*",
                        8L,
                        unread,
                        9L,
                        "it does not fit into the operator's memory; raise memoryLimitBytes",
                        10L,
                        unread);
        assertThat(refused)
                .extracting(RefusedRecord::number)
                .containsExactlyInAnyOrderElementsOf(reasons.keySet());
        for (RefusedRecord record : refused) {
            assertThat(record.reason()).matches(reasons.get(record.number()));
            assertThat(record.subtask()).isZero();
            assertThat(record.timestampMillis()).isEqualTo(record.number());
            assertThat(record.place()).isNull();
        }
        assertThat(refused.toString()).doesNotContain("secret", "4111");
    }

    @Test
    void withoutATagSuchARecordFailsTheTask() {
        for (String record : List.of("number secret", "frozen secret", "lost secret")) {
            left.clear();
            Throwable failure = catchThrowable(() -> redact(List.of("1", record, "2"), null));
            assertThat(failure).isNotNull();
            assertThat(left).doesNotContain(record);
        }
    }

    @Test
    void itsTypeIsSerializedWithoutKryo() {
        SerializerConfigImpl config = new SerializerConfigImpl();
        config.setGenericTypes(false);
        TypeInformation<RefusedRecord> type = TypeInformation.of(RefusedRecord.class);
        RefusedRecord record = new RefusedRecord(1, 2, null, null, "r");
        assertThat(type.createSerializer(config).copy(record)).isEqualTo(record);
    }

    private void redact(List<String> records, OutputTag<RefusedRecord> tag) throws Exception {
        try (RedactHarness<String> harness =
                RedactHarness.quarantining(
                        new StringFieldCodec<>("text", GETTER, SETTER, ErrorValues.HIDDEN),
                        tag,
                        MEMORY_BYTES,
                        SMALL)) {
            harness.open();
            try {
                long time = 0;
                for (String record : records) {
                    harness.processElement(new StreamRecord<>(record, ++time));
                }
                harness.endInput();
                if (tag != null) {
                    assertThat(harness.counter("gpu.quarantinedRecords"))
                            .isEqualTo(harness.getSideOutput(tag).size());
                }
            } finally {
                harness.extractOutputStreamRecords()
                        .forEach(record -> left.add((String) record.getValue()));
                if (tag != null && harness.getSideOutput(tag) != null) {
                    harness.getSideOutput(tag).forEach(record -> refused.add(record.getValue()));
                }
            }
        }
    }
}
