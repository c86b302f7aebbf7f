package io.flinkgpu.backend.auto;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.auto.SharedChoices.Choice;
import io.flinkgpu.backend.auto.SharedChoices.Hold;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What subtasks know of each other's measuring.
 *
 * <p>Covers: SharedChoices.
 */
@Timeout(60)
class SharedChoicesTest {

    private static final Choice GPU = new Choice(true, "faster");

    private final SharedChoices choices = new SharedChoices();
    private final UUID operator = UUID.randomUUID();

    @Test
    void aSubtaskWaitsForTheOneThatMeasures() throws Exception {
        CountDownLatch isMeasuring = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger trials = new AtomicInteger();
        try (Hold first = choices.hold(operator);
                Hold second = choices.hold(operator)) {
            CompletableFuture<Choice> measuring =
                    CompletableFuture.supplyAsync(
                            () ->
                                    choose(
                                            first,
                                            () -> {
                                                trials.incrementAndGet();
                                                isMeasuring.countDown();
                                                await(mayEnd);
                                                return GPU;
                                            }));
            await(isMeasuring);
            CompletableFuture<Choice> waiting =
                    CompletableFuture.supplyAsync(
                            () ->
                                    choose(
                                            second,
                                            () -> {
                                                trials.incrementAndGet();
                                                return new Choice(false, "measured again");
                                            }));
            assertThat(second.choice()).isNull();
            mayEnd.countDown();
            assertThat(measuring.get()).isSameAs(GPU);
            assertThat(waiting.get()).isSameAs(GPU);
            assertThat(trials).hasValue(1);
        }
    }

    @Test
    void aTrialThatFailsSettlesNothing() throws BackendException {
        try (Hold hold = choices.hold(operator)) {
            assertThatThrownBy(
                            () ->
                                    hold.choice(
                                            () -> {
                                                throw new BackendException("no room");
                                            }))
                    .hasMessage("no room");
            assertThat(hold.choice()).isNull();
            assertThat(hold.choice(() -> GPU)).isSameAs(GPU);
        }
    }

    @Test
    void whatWasFoundOutGoesWithTheLastHold() throws BackendException {
        Hold first = choices.hold(operator);
        Hold second = choices.hold(operator);
        assertThat(first.choice(() -> GPU)).isSameAs(GPU);
        assertThat(first.isNews("a")).isTrue();
        assertThat(second.isNews("a")).isFalse();
        first.close();
        first.close();
        try (Hold third = choices.hold(operator)) {
            assertThat(third.choice()).isSameAs(GPU);
        }
        second.close();
        try (Hold fourth = choices.hold(operator)) {
            assertThat(fourth.choice()).isNull();
            assertThat(fourth.isNews("a")).isTrue();
        }
    }

    @Test
    void otherOperatorsMeasureForThemselves() throws BackendException {
        try (Hold hold = choices.hold(operator);
                Hold other = choices.hold(UUID.randomUUID())) {
            assertThat(hold.choice(() -> GPU)).isSameAs(GPU);
            assertThat(other.choice()).isNull();
        }
    }

    private static Choice choose(Hold hold, SharedChoices.Chooser chooser) {
        try {
            return hold.choice(chooser);
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
