package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Subtasks on a device whose memory is not enough for all of them.
 *
 * <p>Covers: DeviceBudget.
 */
@Timeout(60)
class DeviceBudgetTest {

    private static final int OWN_BYTES = 1 << 10;
    private static final int DEVICE_BYTES = 2 * DeviceBudget.OWN_PARTS * OWN_BYTES;
    private static final int KEPT_BYTES = DEVICE_BYTES / 8;
    private static final int COMMON_BYTES = DEVICE_BYTES / 2 - KEPT_BYTES;
    private static final int LARGE_BYTES = COMMON_BYTES / 2 + 1;

    private final DeviceBudget budget = budget(Duration.ofSeconds(30));
    private final ExecutorService others = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        others.shutdownNow();
    }

    @Test
    void nobodyWaitsForItsOwnPart() throws Exception {
        DeviceBudget.Share large = join(budget);
        large.allocate(LARGE_BYTES);
        for (int i = 1; i < DeviceBudget.OWN_PARTS; i++) {
            DeviceBudget.Share small = join(budget);
            assertThat(small.allocate(OWN_BYTES).isLent()).isFalse();
        }
    }

    @Test
    void whatProgramsKeepIsCountedAndLeavesBatchesAnEighth() throws Exception {
        long most = COMMON_BYTES - COMMON_BYTES / 8;
        DeviceBudget.Share share = join(budget);
        assertThatThrownBy(() -> share.keep("corpus", most + 1))
                .isInstanceOf(BackendException.class)
                .hasMessageContainingAll(
                        "name=corpus, bytes=" + (most + 1) + ", freeBytes=" + most,
                        "; ask for less");
        ResidentMemory kept = share.keep("corpus", most);
        assertThatThrownBy(() -> join(budget).keep("another", 1))
                .hasMessageContainingAll("name=another, bytes=1, freeBytes=0");
        assertThatThrownBy(() -> share.allocate(OWN_BYTES + COMMON_BYTES / 8))
                .isInstanceOf(DeviceOutOfMemoryException.class);
        share.free(share.allocate(COMMON_BYTES / 8));
        kept.close();
        share.free(share.allocate(COMMON_BYTES));
        share.keep("corpus", most).close();
    }

    @Test
    void whatProgramsCanDoWithoutLeavesHalfToWhatTheyKeep() throws Exception {
        DeviceBudget.Share share = join(budget);
        ResidentMemory spare = share.keepSpare(COMMON_BYTES / 2);
        assertThat(spare).isNotNull();
        assertThat(join(budget).keepSpare(1)).isNull();
        ResidentMemory kept = share.keep("corpus", COMMON_BYTES / 2 - COMMON_BYTES / 8);
        spare.close();
        assertThat(share.keepSpare(COMMON_BYTES / 2)).isNull();
        kept.close();
        share.keepSpare(COMMON_BYTES / 2).close();
    }

    /** Of 64 parts 16 stay for subtasks to come, whoever asks for the others. */
    @Test
    void whatAPlanAsksForTakesPartsThatNobodyHas() throws Exception {
        List<DeviceBudget.Share> shares = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            shares.add(join(budget));
        }
        DeviceBudget.Share share = shares.get(0);
        long most = COMMON_BYTES / 2 + 40L * OWN_BYTES;
        assertThat(share.keepLarge(most + 1)).isNull();
        ResidentMemory large = share.keepLarge(most);
        assertThat(share.keepLarge(1)).isNull();
        assertThat(share.keepSpare(1)).isNull();
        share.keep("corpus", COMMON_BYTES / 2 - COMMON_BYTES / 8).close();
        for (int i = 0; i < 16; i++) {
            shares.add(join(budget));
        }
        for (DeviceBudget.Share own : shares) {
            own.free(own.allocate(OWN_BYTES));
        }
        DeviceBudget.Share late = join(budget);
        assertThat(late.allocate(OWN_BYTES).isLent()).isTrue();
        large.close();
        ResidentMemory first = share.keepLarge(COMMON_BYTES / 2 + 1);
        ResidentMemory second = share.keepLarge(23L * OWN_BYTES);
        assertThat(share.keepLarge(1)).isNull();
        first.close();
        second.close();
        assertThat(join(budget).allocate(OWN_BYTES).isLent()).isFalse();
    }

    /** However many subtasks have parts. */
    @Test
    void whatAPlanAsksForTakesSpareMemoryWhenNoPartsAreLeft() throws Exception {
        DeviceBudget.Share share = join(budget);
        for (int i = 1; i < 49; i++) {
            join(budget);
        }
        assertThat(share.keepLarge(COMMON_BYTES / 2 + 1)).isNull();
        ResidentMemory spare = share.keepLarge(COMMON_BYTES / 2);
        assertThat(spare).isNotNull();
        assertThat(share.keepLarge(1)).isNull();
        spare.close();
    }

    @Test
    void theCommonMemoryGoesToThoseWhoWaitInTheirOrder() throws Exception {
        DeviceBudget.Share first = join(budget);
        MemoryBlock block = first.allocate(LARGE_BYTES);
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int turn = i;
            DeviceBudget.Share share = join(budget);
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    MemoryBlock mine = share.allocate(LARGE_BYTES);
                                    turns.add(turn);
                                    share.free(mine);
                                } catch (BackendException e) {
                                    turns.add(-1);
                                }
                            });
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            waiting.add(thread);
        }
        assertThat(turns).isEmpty();
        assertThat(block.isLent()).isTrue();
        assertThat(first.isWantedByOthers()).isTrue();
        first.free(block);
        for (Thread thread : waiting) {
            thread.join();
        }
        assertThat(turns).containsExactly(0, 1, 2, 3);
        assertThat(first.isWantedByOthers()).isFalse();
    }

    @Test
    void whoHasATurnTakesAllItNeedsWhileOthersWait() throws Exception {
        DeviceBudget.Share first = join(budget);
        MemoryBlock one = first.allocate(OWN_BYTES + 1);
        DeviceBudget.Share second = join(budget);
        Future<MemoryBlock> waiting = others.submit(() -> second.allocate(LARGE_BYTES));
        while (!first.isWantedByOthers()) {
            Thread.onSpinWait();
        }
        MemoryBlock two = first.allocate(COMMON_BYTES - OWN_BYTES - 1);
        assertThatThrownBy(() -> first.allocate(OWN_BYTES + 1))
                .isInstanceOf(DeviceOutOfMemoryException.class);
        MemoryBlock own = first.allocate(OWN_BYTES);
        first.free(one);
        assertThat(waiting.isDone()).isFalse();
        first.free(two);
        second.free(waiting.get());
        first.free(own);
    }

    @Test
    void whatIsKeptIsInNobodysWay() throws Exception {
        DeviceBudget.Share first = join(budget);
        MemorySource kept = first.kept();
        MemoryBlock tables = kept.allocate(KEPT_BYTES - 1);
        DeviceBudget.Share second = join(budget);
        assertThatThrownBy(() -> second.kept().allocate(2))
                .isInstanceOf(DeviceOutOfMemoryException.class)
                .hasMessage(
                        "the tables of all programs need more device memory than they may take:"
                                + " bytes=2, heldBytes=16383, limitBytes=16384, device=0; use fewer or"
                                + " simpler rules, or fewer jobs in the process");
        second.free(second.allocate(COMMON_BYTES));
        first.free(first.allocate(COMMON_BYTES));
        first.close();
        MemorySource other = second.kept();
        other.free(other.allocate(1));
        assertThatThrownBy(second::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("device memory is still kept: bytes=16383; close the programs first");
        kept.free(tables);
    }

    @Test
    void aRefusalOfTheDriverKeepsNothing() throws Exception {
        DeviceBudget.Share unlucky = budget.join(new FakeMemory(OWN_BYTES));
        assertThatThrownBy(() -> unlucky.kept().allocate(KEPT_BYTES)).hasMessageStartingWith("no");
        MemorySource kept = join(budget).kept();
        kept.free(kept.allocate(KEPT_BYTES));
    }

    @Test
    void nobodyStarves() throws Exception {
        List<Future<?>> subtasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            DeviceBudget.Share share = join(budget);
            subtasks.add(
                    others.submit(
                            () -> {
                                for (int batch = 0; batch < 200; batch++) {
                                    MemoryBlock work = share.allocate(LARGE_BYTES);
                                    MemoryBlock out = share.allocate(OWN_BYTES / 2);
                                    share.free(work);
                                    share.free(out);
                                }
                                return null;
                            }));
        }
        for (Future<?> subtask : subtasks) {
            subtask.get();
        }
    }

    @Test
    void whoWaitsTooLongIsRefused() throws Exception {
        DeviceBudget impatient = budget(Duration.ofMillis(20));
        DeviceBudget.Share first = join(impatient);
        MemoryBlock block = first.allocate(LARGE_BYTES);
        DeviceBudget.Share second = join(impatient);
        assertThatThrownBy(() -> second.allocate(LARGE_BYTES))
                .isInstanceOf(DeviceOutOfMemoryException.class)
                .hasMessage(
                        "the device memory for large batches is with another subtask: device=0,"
                                + " waitedMillis=20; lower the batch policy's maxBytes or the"
                                + " parallelism");
        first.free(block);
        second.free(second.allocate(LARGE_BYTES));
    }

    @Test
    void whatIsMoreThanThereIsIsRefusedAtOnce() throws Exception {
        DeviceBudget.Share share = join(budget);
        assertThatThrownBy(() -> share.allocate(COMMON_BYTES + 1))
                .isInstanceOf(DeviceOutOfMemoryException.class)
                .hasMessageStartingWith(
                        "a subtask's batches need more device memory than it may take: bytes=49153");
        share.free(share.allocate(COMMON_BYTES));
    }

    @Test
    void aRefusalOfTheDriverEndsTheTurn() throws Exception {
        DeviceBudget.Share unlucky = budget.join(new FakeMemory(OWN_BYTES));
        assertThatThrownBy(() -> unlucky.allocate(LARGE_BYTES)).hasMessageStartingWith("no fake");
        DeviceBudget.Share other = join(budget);
        other.free(other.allocate(LARGE_BYTES));
    }

    @Test
    void whoComesLateHasNoPartUntilOneIsLeft() throws Exception {
        DeviceBudget.Share first = join(budget);
        for (int i = 1; i < DeviceBudget.OWN_PARTS; i++) {
            join(budget);
        }
        DeviceBudget.Share late = join(budget);
        MemoryBlock lent = late.allocate(1);
        assertThat(lent.isLent()).isTrue();
        late.free(lent);
        first.close();
        DeviceBudget.Share next = join(budget);
        assertThat(next.allocate(1).isLent()).isFalse();
    }

    @Test
    void whoLeavesWithoutGivingBackIsTold() throws Exception {
        DeviceBudget.Share share = join(budget);
        MemoryBlock own = share.allocate(OWN_BYTES);
        MemoryBlock lent = share.allocate(1);
        assertThatThrownBy(share::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("device memory is still held: bytes=1025; close the programs first");
        share.free(own);
        share.free(lent);
        DeviceBudget.Share other = join(budget);
        other.free(other.allocate(COMMON_BYTES));
        other.close();
    }

    @Test
    void aDeviceIsDividedOnceForAllOfTheProcess() throws Exception {
        SharedDevice device = new SharedDevice(-1, new SpinPolicy(1));
        DeviceBudget.Share first = device.join(1 << 20, new FakeMemory(1 << 20));
        DeviceBudget.Share second = device.join(1 << 10, new FakeMemory(1 << 20));
        second.free(second.allocate(300 << 10));
        first.close();
        second.close();
        DeviceBudget.Share third = device.join(1 << 10, new FakeMemory(1 << 20));
        assertThatThrownBy(() -> third.allocate(300 << 10))
                .isInstanceOf(DeviceOutOfMemoryException.class);
        third.close();
    }

    private static DeviceBudget budget(Duration patience) {
        return new DeviceBudget(0, DEVICE_BYTES, patience);
    }

    private static DeviceBudget.Share join(DeviceBudget budget) {
        return budget.join(new FakeMemory(DEVICE_BYTES));
    }
}
