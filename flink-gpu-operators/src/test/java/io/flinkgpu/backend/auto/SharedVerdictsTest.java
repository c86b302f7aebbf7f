package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.auto.SharedVerdicts.Hold;
import io.flinkgpu.backend.auto.SharedVerdicts.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What subtasks know of each other's measuring. */
@Timeout(60)
class SharedVerdictsTest {

    private static final Verdict GPU = new Verdict(true, "faster");

    private final SharedVerdicts verdicts = new SharedVerdicts();
    private final UUID operator = UUID.randomUUID();

    @Test
    void aSubtaskWaitsForTheOneThatMeasures() throws Exception {
        CountDownLatch isMeasuring = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger trials = new AtomicInteger();
        try (Hold first = verdicts.hold(operator);
                Hold second = verdicts.hold(operator)) {
            CompletableFuture<Verdict> measuring =
                    CompletableFuture.supplyAsync(
                            () ->
                                    judge(
                                            first,
                                            () -> {
                                                trials.incrementAndGet();
                                                isMeasuring.countDown();
                                                await(mayEnd);
                                                return GPU;
                                            }));
            await(isMeasuring);
            CompletableFuture<Verdict> waiting =
                    CompletableFuture.supplyAsync(
                            () ->
                                    judge(
                                            second,
                                            () -> {
                                                trials.incrementAndGet();
                                                return new Verdict(false, "measured again");
                                            }));
            assertThat(second.verdict()).isNull();
            mayEnd.countDown();
            assertThat(measuring.get()).isSameAs(GPU);
            assertThat(waiting.get()).isSameAs(GPU);
            assertThat(trials).hasValue(1);
        }
    }

    @Test
    void aTrialThatFailsSettlesNothing() throws BackendException {
        try (Hold hold = verdicts.hold(operator)) {
            assertThatThrownBy(
                            () ->
                                    hold.verdict(
                                            () -> {
                                                throw new BackendException("no room");
                                            }))
                    .hasMessage("no room");
            assertThat(hold.verdict()).isNull();
            assertThat(hold.verdict(() -> GPU)).isSameAs(GPU);
        }
    }

    @Test
    void whatWasFoundOutGoesWithTheLastHold() throws BackendException {
        Hold first = verdicts.hold(operator);
        Hold second = verdicts.hold(operator);
        assertThat(first.verdict(() -> GPU)).isSameAs(GPU);
        assertThat(first.isNews("a")).isTrue();
        assertThat(second.isNews("a")).isFalse();
        first.close();
        first.close();
        try (Hold third = verdicts.hold(operator)) {
            assertThat(third.verdict()).isSameAs(GPU);
        }
        second.close();
        try (Hold fourth = verdicts.hold(operator)) {
            assertThat(fourth.verdict()).isNull();
            assertThat(fourth.isNews("a")).isTrue();
        }
    }

    @Test
    void otherOperatorsMeasureForThemselves() throws BackendException {
        try (Hold hold = verdicts.hold(operator);
                Hold other = verdicts.hold(UUID.randomUUID())) {
            assertThat(hold.verdict(() -> GPU)).isSameAs(GPU);
            assertThat(other.verdict()).isNull();
        }
    }

    private static Verdict judge(Hold hold, SharedVerdicts.Trial trial) {
        try {
            return hold.verdict(trial);
        } catch (BackendException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
