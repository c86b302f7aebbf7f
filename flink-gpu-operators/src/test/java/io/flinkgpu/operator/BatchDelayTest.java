package io.flinkgpu.operator;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.redact.RedactHarness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.Semaphore;

import static io.flinkgpu.operator.redact.RedactHarness.NEVER_FULL;
import static io.flinkgpu.operator.redact.RedactHarness.ofStrings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A batch waits as long as the one before was on its way, and never longer than its policy says: small
 * batches while the backend answers at once, larger ones when it does not.
 *
 * <p>Covers: BatchEngine, InFlightBatches.
 */
@Timeout(60)
class BatchDelayTest {

    private static final BatchPolicy DELAY_20 = NEVER_FULL.withMaxDelay(Duration.ofMillis(20));

    /** One is needed for each batch that the backend is to finish. */
    private final Semaphore answers = new Semaphore(0);

    private final Script whenAnswered =
            (call, rows) -> {
                if (call == Call.AWAIT) {
                    answers.acquireUninterruptibly();
                }
            };

    @Test
    void theFirstBatchWaitsAsLongAsThePolicySays() throws Exception {
        try (RedactHarness<String> harness = ofStrings(DELAY_20, Script.NONE)) {
            harness.open();
            harness.setProcessingTime(100);
            harness.processElement("secret 1", 0);
            harness.setProcessingTime(119);
            harness.processElement("secret 2", 0);
            assertThat(harness.flushes(FlushReason.DELAY)).isZero();
            harness.setProcessingTime(120);
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("[X] 1", "[X] 2");
        }
    }

    @Test
    void aBatchWaitsAsLongAsTheOneBeforeWasOnItsWay() throws Exception {
        try (RedactHarness<String> harness = ofStrings(DELAY_20, whenAnswered)) {
            harness.open();
            harness.setProcessingTime(100);
            harness.processElement("secret 1", 0);
            answerAfter(harness, 20, 7);
            harness.processElement("secret 2", 0);
            harness.setProcessingTime(133);
            harness.processElement("secret 3", 0);
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(1);
            answerAfter(harness, 1, 0);
            assertThat(harness.output()).containsExactly("[X] 1", "[X] 2", "[X] 3");
            harness.processElement("at least the clock's millisecond", 0);
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(2);
            answerAfter(harness, 1, 500);
            harness.processElement("at most the policy's delay", 0);
            harness.setProcessingTime(harness.getProcessingTime() + 19);
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(3);
            answerAfter(harness, 1, 0);
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(4);
        }
    }

    @Test
    void aShorterDelayDoesNotWaitForTheTimerOfALongerOne() throws Exception {
        try (RedactHarness<String> harness = ofStrings(DELAY_20.withMaxRows(2), Script.NONE)) {
            harness.open();
            harness.setProcessingTime(100);
            harness.processElement("1", 0);
            harness.processElement("2", 0);
            harness.runNextMail();
            harness.processElement("3", 0);
            harness.setProcessingTime(101);
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(1);
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("1", "2", "3");
            harness.setProcessingTime(120);
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(1);
        }
    }

    @Test
    void theDelayStartsAnewWithEachBatch() throws Exception {
        try (RedactHarness<String> harness = ofStrings(DELAY_20.withMaxRows(2), whenAnswered)) {
            harness.open();
            harness.setProcessingTime(100);
            harness.processElement("1", 0);
            harness.setProcessingTime(110);
            harness.processElement("2", 0);
            harness.processElement("3", 0);
            harness.setProcessingTime(129);
            assertThat(harness.flushes(FlushReason.DELAY)).isZero();
            harness.setProcessingTime(130);
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(1);
            answers.release(2);
        }
    }

    @Test
    void aBatchThatIsDueGrowsUntilOneComesBackIfTooManyAreOnTheirWay() throws Exception {
        try (RedactHarness<String> harness = ofStrings(DELAY_20, whenAnswered)) {
            harness.open();
            long timeMillis = 100;
            for (int i = 0; i < InFlightBatches.MAX; i++) {
                harness.setProcessingTime(timeMillis);
                harness.processElement("secret " + i, 0);
                harness.setProcessingTime(timeMillis += 20);
            }
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(InFlightBatches.MAX);
            harness.processElement("due", 0);
            harness.setProcessingTime(timeMillis += 20);
            harness.processElement("and", 0);
            harness.setProcessingTime(timeMillis += 100);
            harness.processElement("growing", 0);
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(InFlightBatches.MAX);
            answers.release(1);
            harness.runNextMail();
            assertThat(harness.flushes(FlushReason.DELAY)).isEqualTo(InFlightBatches.MAX + 1);
            assertThat(harness.output()).containsExactly("[X] 0");
            answers.release(InFlightBatches.MAX);
            harness.endInput();
            assertThat(harness.output()).endsWith("due", "and", "growing");
        }
    }

    private void answerAfter(RedactHarness<String> harness, long dueMillis, long tripMillis)
            throws Exception {
        long dueAt = harness.getProcessingTime() + dueMillis;
        harness.setProcessingTime(dueAt);
        harness.setProcessingTime(dueAt + tripMillis);
        answers.release();
        harness.runNextMail();
    }
}
