package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.apache.arrow.memory.OutOfMemoryException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Batches that fail: what they leave of their slots, their columns and the device's memory.
 *
 * <p>Covers: SlotPool, BatchSlot.
 */
class SlotPoolFailureTest {

    private static final long DEVICE_BYTES = 1 << 20;
    private static final long OWN_BYTES = DEVICE_BYTES / 2 / DeviceBudget.OWN_PARTS;
    private static final long COMMON_BYTES = DEVICE_BYTES * 3 / 8;

    private final DeviceBudget budget = new DeviceBudget(0, DEVICE_BYTES, Duration.ofSeconds(30));
    private final FakeMemory device = new FakeMemory(DEVICE_BYTES);

    @Test
    void aBatchThatWasRefusedIsNeverStarted() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot first = subtask.start(COMMON_BYTES / 2);
            FakeSlot second = subtask.start(OWN_BYTES / 4);
            FakeSlot third = subtask.start(OWN_BYTES / 4);
            subtask.finish(third);
            subtask.finish(second);
            FakeSlot putOff = subtask.start(COMMON_BYTES / 2);
            FakeSlot refused = putOff == second ? third : second;
            refused.failsToGiveBack = true;
            assertThatThrownBy(() -> subtask.start(OWN_BYTES / 4)).hasMessage("no free");
            refused.failsToGiveBack = false;
            subtask.finish(first);
            subtask.finish(putOff);
            assertThat(refused.starts).isEqualTo(1);
        }
    }

    @Test
    void aBatchIsDoneWithWhenOneBehindItFails() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot first = subtask.start(COMMON_BYTES / 2);
            FakeSlot second = subtask.start(COMMON_BYTES / 2);
            FakeSlot third = subtask.start(COMMON_BYTES / 2);
            subtask.finish(first);
            third.failsToGiveBack = true;
            assertThatThrownBy(() -> subtask.finish(second)).hasMessage("no free");
            assertThat(second.drains).isPositive();
            assertThat(second.lent()).isZero();
            third.failsToGiveBack = false;
            subtask.finish(third);
            assertThat(third.lent()).isZero();
        }
    }

    static List<Throwable> failures() {
        return List.of(
                new BackendException("failed"),
                new IllegalStateException("failed"),
                new OutOfMemoryException("failed"),
                new OutOfMemoryError("failed"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void columnsAreClosedWhenTheDeviceIsDone(Throwable failure) throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot slot = subtask.start(1);
            List<Integer> drainsBefore = new ArrayList<>();
            assertFinishFails(
                            subtask,
                            slot,
                            (started, columns) -> {
                                columns.push(() -> drainsBefore.add(started.drains));
                                raise(failure);
                                return () -> {};
                            })
                    .hasMessage("failed");
            assertThat(drainsBefore).containsExactly(1);
            assertThat(subtask.start(1)).isSameAs(slot);
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureKeepsThatOfTheColumns(Throwable failure) throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot slot = subtask.start(1);
            assertFinishFails(
                            subtask,
                            slot,
                            (started, columns) -> {
                                columns.push(SlotPoolFailureTest::failToClose);
                                raise(failure);
                                return () -> {};
                            })
                    .hasMessage("failed")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        }
    }

    @Test
    void aResultIsClosedWhenItsColumnsDoNotClose() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot slot = subtask.start(1);
            List<String> closed = new ArrayList<>();
            assertFinishFails(
                            subtask,
                            slot,
                            (started, columns) -> {
                                columns.push(SlotPoolFailureTest::failToClose);
                                return () -> closed.add("result");
                            })
                    .hasMessage("not closed");
            assertThat(closed).containsExactly("result");
            assertThat(subtask.start(1)).isSameAs(slot);
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aBatchThatDoesNotStartLeavesItsSlot(Throwable failure) throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            assertThatThrownBy(() -> subtask.pool.start(slot -> raise(failure)))
                    .hasMessage("failed");
            FakeSlot slot = subtask.start(1);
            assertThat(subtask.slots).containsExactly(slot);
            assertThat(slot.drains).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aBatchThatFailsWhenItIsBegunEarlyIsTriedAgain(Throwable failure) throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot first = subtask.start(COMMON_BYTES / 2);
            FakeSlot second = subtask.start(COMMON_BYTES / 2);
            AtomicInteger tries = new AtomicInteger();
            FakeSlot third =
                    subtask.pool.start(
                            slot -> {
                                slot.start(1);
                                if (tries.incrementAndGet() == 1) {
                                    raise(failure);
                                }
                            });
            subtask.finish(first);
            subtask.finish(second);
            assertThat(tries).hasValue(1);
            assertThat(subtask.start(1)).isNotSameAs(third);
            assertThat(subtask.start(1)).isNotSameAs(third);
            subtask.finish(third);
            assertThat(tries).hasValue(2);
        }
    }

    @Test
    void aResultThatIsNotReturnedIsClosed() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot slot = subtask.start(1);
            slot.failsToGiveBack = true;
            List<String> closed = new ArrayList<>();
            assertFinishFails(
                            subtask,
                            slot,
                            (started, columns) -> {
                                columns.push(() -> closed.add("columns"));
                                return () -> closed.add("result");
                            })
                    .hasMessage("no free");
            assertThat(closed).containsExactly("result", "columns");
            slot.failsToGiveBack = false;
            assertThat(subtask.start(1)).isSameAs(slot);
            assertThat(subtask.start(1)).isNotSameAs(slot);
        }
    }

    @Test
    void aPoolWaitsForAllBatchesWhateverFails() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            List<FakeSlot> slots = List.of(subtask.start(1), subtask.start(1), subtask.start(1));
            slots.forEach(slot -> slot.failsToDrain = true);
            assertThatThrownBy(subtask.pool::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no drain")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
            assertThat(slots).allMatch(slot -> slot.drains == 1);
        }
        assertThat(device.heldBytes()).isZero();
    }

    @Test
    void aPoolClosesItsSlotsWithoutAContext() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot slot = subtask.start(1);
            subtask.isContextLost = true;
            assertThatThrownBy(subtask.pool::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no context");
            assertThat(slot.drains).isEqualTo(1);
            assertThat(device.heldBytes()).isZero();
            subtask.isContextLost = false;
        }
    }

    private static AbstractThrowableAssert<?, ?> assertFinishFails(
            FakeSubtask subtask, FakeSlot slot, SlotPool.Finish<FakeSlot, AutoCloseable> work) {
        return assertThatThrownBy(() -> subtask.pool.finish(slot, work));
    }

    private static void failToClose() {
        throw new IllegalStateException("not closed");
    }

    private static void raise(Throwable failure) throws BackendException {
        if (failure instanceof BackendException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        throw (RuntimeException) failure;
    }

    private FakeSubtask newSubtask() {
        return new FakeSubtask(budget.join(device));
    }
}
