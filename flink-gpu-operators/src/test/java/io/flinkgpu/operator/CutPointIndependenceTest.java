package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.redact.RedactHarness;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Invariant: what is emitted, marks included, depends on the input only, not on where batches were
 * cut, when timers fired, how fast the backend was, or whether it ran out of memory.
 *
 * <p>Covers: RedactSpec.
 */
class CutPointIndependenceTest {

    private static final int ELEMENTS = 300;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void sameOutputForEveryPolicy(long seed) throws Exception {
        List<Object> input = randomInput(new Random(seed));
        List<Object> expected = input.stream().map(CutPointIndependenceTest::redacted).toList();
        Random random = new Random(seed);
        BatchPolicy policy =
                new BatchPolicy(
                        1 + random.nextInt(20),
                        1 + random.nextInt(400),
                        Duration.ofMillis(1 + random.nextInt(10)));
        Script script = moody(random.nextLong());
        try (RedactHarness<LineChunk> harness =
                RedactHarness.ofChunks(policy, script, Script.NONE)) {
            harness.open();
            long timeMillis = 0;
            for (Object element : input) {
                feed(harness, element);
                switch (random.nextInt(8)) {
                    case 0 -> harness.setProcessingTime(timeMillis += random.nextInt(10));
                    case 1 -> harness.runMails();
                    case 2 -> harness.prepareSnapshotPreBarrier(1);
                    default -> {}
                }
            }
            harness.endInput();
            assertThat(new ArrayList<>(harness.getOutput()))
                    .as("seed=%d, policy=%s", seed, policy)
                    .isEqualTo(expected);
        }
    }

    private static void feed(RedactHarness<LineChunk> harness, Object element) throws Exception {
        if (element instanceof Watermark mark) {
            harness.processWatermark(mark);
        } else if (element instanceof WatermarkStatus status) {
            harness.processWatermarkStatus(status);
        } else {
            StreamRecord<LineChunk> record = asRecord(element);
            harness.processElement(record.copy(record.getValue()));
        }
    }

    private static Object redacted(Object element) {
        if (!(element instanceof StreamRecord<?>)) {
            return element;
        }
        StreamRecord<LineChunk> record = asRecord(element);
        LineChunk chunk = record.getValue();
        String lines = new String(chunk.bytes(), StandardCharsets.UTF_8);
        byte[] bytes = lines.replace("secret", "[X]").getBytes(StandardCharsets.UTF_8);
        return record.copy(chunk.withBytes(bytes));
    }

    @SuppressWarnings("unchecked") // The input holds records of chunks only.
    private static StreamRecord<LineChunk> asRecord(Object element) {
        return (StreamRecord<LineChunk>) element;
    }

    private static List<Object> randomInput(Random random) {
        List<Object> input = new ArrayList<>();
        for (int i = 0; i < ELEMENTS; i++) {
            switch (random.nextInt(6)) {
                case 0 -> input.add(new Watermark(i));
                case 1 ->
                        input.add(
                                random.nextBoolean()
                                        ? WatermarkStatus.IDLE
                                        : WatermarkStatus.ACTIVE);
                default -> {
                    LineChunk chunk = new LineChunk("f", i, randomLines(random));
                    input.add(
                            random.nextBoolean()
                                    ? new StreamRecord<>(chunk, i)
                                    : new StreamRecord<>(chunk));
                }
            }
        }
        return input;
    }

    private static byte[] randomLines(Random random) {
        StringBuilder lines = new StringBuilder();
        for (int line = random.nextInt(6); line > 0; line--) {
            lines.append("x".repeat(random.nextInt(30)));
            lines.append(random.nextInt(3) == 0 ? "secret" : "");
            lines.append(line == 1 && random.nextBoolean() ? "" : "\n");
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Is slow at times, and has no memory at times. */
    private static Script moody(long seed) {
        Random random = new Random(seed);
        return (call, rows) -> {
            if (call != Call.SUBMIT && call != Call.AWAIT) {
                return;
            }
            switch (random.nextInt(10)) {
                case 0 -> throw new DeviceOutOfMemoryException("no memory for rows=" + rows);
                case 1 -> pause();
                default -> {}
            }
        };
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
