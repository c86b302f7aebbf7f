package io.flinkgpu.operator;

import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.operator.redact.RedactHarness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import static io.flinkgpu.operator.redact.RedactHarness.NEVER_FULL;
import static io.flinkgpu.operator.redact.RedactHarness.ofStrings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Invariant: the task thread never calls the backend and never blocks uninterruptibly; completion
 * comes back as one mail, in order.
 *
 * <p>Covers: PlanRunner.
 */
@Timeout(60)
class BackendThreadTest {

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private final Script script =
            (call, rows) -> {
                calls.add(call);
                threads.add(Thread.currentThread());
            };

    @Test
    void oneThreadMakesEveryCallAndItIsNotTheTasks() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(1), script)) {
            harness.open();
            harness.processElement("secret", 1);
            harness.processElement("secret", 2);
            harness.endInput();
        }
        assertThat(calls)
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(Call.APPLY)));
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    void submitsUpToThreeBatchesBeforeItWaitsForTheOldest() throws Exception {
        CountDownLatch submit = new CountDownLatch(1);
        List<Call> calls = Collections.synchronizedList(new ArrayList<>());
        Script script =
                (call, rows) -> {
                    if (call == Call.SUBMIT) {
                        join(submit);
                    }
                    calls.add(call);
                };
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(1), script)) {
            harness.open();
            calls.clear();
            harness.processElement("secret 1", 1);
            harness.processElement("secret 2", 2);
            harness.processElement("secret 3", 3);
            submit.countDown();
            harness.endInput();
            assertThat(calls)
                    .containsExactly(
                            Call.SUBMIT,
                            Call.SUBMIT,
                            Call.SUBMIT,
                            Call.AWAIT,
                            Call.AWAIT,
                            Call.AWAIT);
            assertThat(harness.output()).containsExactly("[X] 1", "[X] 2", "[X] 3");
        }
    }

    @Test
    void emitsByMailOnly() throws Exception {
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(1), Script.NONE)) {
            harness.open();
            harness.processElement("secret 1", 1);
            harness.processElement("secret 2", 2);
            assertThat(harness.output()).isEmpty();
            harness.runNextMail();
            harness.runNextMail();
            assertThat(harness.output()).containsExactly("[X] 1", "[X] 2");
            assertThat(harness.getTaskMailbox().hasMail()).isFalse();
        }
    }

    @Test
    void waitsForRoomInterruptibly() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        Script stuck =
                (call, rows) -> {
                    if (call == Call.AWAIT) {
                        join(answer);
                    }
                };
        try (RedactHarness<String> harness = ofStrings(NEVER_FULL.withMaxRows(1), stuck)) {
            harness.open();
            for (int i = 0; i < BatchPipeline.MAX_RUNNING; i++) {
                harness.processElement("secret", i);
            }
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> harness.processElement("secret", 9))
                    .isInstanceOf(InterruptedException.class);
            answer.countDown();
        }
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
