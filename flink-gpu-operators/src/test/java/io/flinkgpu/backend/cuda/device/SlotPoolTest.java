package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Batches of several subtasks on a device whose memory is not enough for all of them.
 *
 * <p>Covers: SlotPool.
 */
@Timeout(60)
class SlotPoolTest {

    private static final long SEED = 20261122;
    private static final int SUBTASKS = 5;
    private static final int BATCHES = 400;
    private static final int IN_FLIGHT = 3;
    private static final int BUFFERS = 3;
    private static final long DEVICE_BYTES = 1 << 20;
    private static final long OWN_BYTES = DEVICE_BYTES / 2 / DeviceBudget.OWN_PARTS;
    private static final long COMMON_BYTES = DEVICE_BYTES * 3 / 8;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final DeviceBudget budget = new DeviceBudget(0, DEVICE_BYTES, Duration.ofSeconds(30));

    /** Has room for one subtask's turn and all own parts only. */
    private final FakeMemory device = new FakeMemory(SUBTASKS * OWN_BYTES + COMMON_BYTES);

    private final AtomicInteger turns = new AtomicInteger();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void eachBatchGetsAllItNeedsAndTurnsAreShort() throws Exception {
        List<Future<?>> subtasks = new ArrayList<>();
        for (int i = 0; i < SUBTASKS; i++) {
            Random random = new Random(SEED + i);
            subtasks.add(
                    threads.submit(
                            () -> {
                                try (FakeSubtask subtask = newSubtask()) {
                                    run(subtask, random);
                                    turns.addAndGet(subtask.turns);
                                }
                                return null;
                            }));
        }
        for (Future<?> subtask : subtasks) {
            subtask.get();
        }
        assertThat(device.heldBytes()).isZero();
        assertThat(turns.get())
                .as("seed " + SEED)
                .isGreaterThan(SUBTASKS * BATCHES / IN_FLIGHT / 2);
    }

    @Test
    void aBatchIsPutOffWhileOthersWaitForWhatIsLent() throws Exception {
        long bytes = COMMON_BYTES / 4;
        try (FakeSubtask first = newSubtask();
                FakeSubtask second = newSubtask()) {
            FakeSlot under = first.start(bytes, bytes);
            Future<FakeSlot> waiting = threads.submit(() -> second.start(bytes));
            while (!first.share.isWantedByOthers()) {
                Thread.onSpinWait();
            }
            FakeSlot putOff = first.start(bytes);
            assertThat(putOff.lent()).isZero();
            assertThat(waiting.isDone()).isFalse();
            first.finish(under);
            FakeSlot others = waiting.get();
            Future<?> later =
                    threads.submit(
                            () -> {
                                first.finish(putOff);
                                return null;
                            });
            while (!second.share.isWantedByOthers()) {
                Thread.onSpinWait();
            }
            second.finish(others);
            later.get();
            assertThat(putOff.starts).isEqualTo(1);
        }
    }

    @Test
    void aBatchThereIsNoMoreRoomForWaitsForThoseBeforeIt() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            FakeSlot first = subtask.start(COMMON_BYTES / 2);
            FakeSlot second = subtask.start(OWN_BYTES / 2, COMMON_BYTES / 2);
            assertThat(second.lent()).isZero();
            FakeSlot third = subtask.start(OWN_BYTES / 4);
            FakeSlot fourth = subtask.start(COMMON_BYTES / 2);
            assertThat(third.starts).isZero();
            subtask.finish(first);
            subtask.finish(second);
            assertThat(second.starts).isEqualTo(2);
            assertThat(third.starts).isEqualTo(1);
            subtask.finish(third);
            assertThat(fourth.lent()).isZero();
            subtask.finish(fourth);
            assertThat(fourth.starts).isEqualTo(2);
        }
    }

    @Test
    void aBatchThereIsNoRoomForAtAllIsRefused() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            assertThatThrownBy(() -> subtask.start(COMMON_BYTES))
                    .isInstanceOf(DeviceOutOfMemoryException.class);
            FakeSlot small = subtask.start(OWN_BYTES / 2);
            FakeSlot large = subtask.start(COMMON_BYTES);
            subtask.finish(small);
            assertThatThrownBy(() -> subtask.finish(large))
                    .isInstanceOf(DeviceOutOfMemoryException.class);
            subtask.finish(subtask.start(COMMON_BYTES / 2));
        }
    }

    @Test
    void theThreadHasTheContextWheneverTheDeviceIsUsed() throws Exception {
        FakeSubtask subtask = newSubtask();
        FakeSlot slot = subtask.start(1);
        assertThat(subtask.madeCurrent).isEqualTo(1);
        subtask.finish(slot);
        assertThat(subtask.madeCurrent).isEqualTo(2);
        subtask.close();
        assertThat(subtask.madeCurrent).isEqualTo(3);
    }

    @Test
    void aPoolClosesWithBatchesThatNobodyAwaited() throws Exception {
        try (FakeSubtask subtask = newSubtask()) {
            subtask.start(COMMON_BYTES / 2);
            subtask.start(COMMON_BYTES / 2);
        }
        assertThat(device.heldBytes()).isZero();
    }

    /** Some batches of any size, some of them under way at a time. */
    private static void run(FakeSubtask subtask, Random random) throws Exception {
        Deque<FakeSlot> underWay = new ArrayDeque<>();
        for (int batch = 0; batch < BATCHES; batch++) {
            // Any three buffers fit into the common memory, with the eighth more that they get.
            long[] sizes = random.longs(BUFFERS, 1, COMMON_BYTES / BUFFERS * 4 / 5).toArray();
            underWay.add(subtask.start(sizes));
            while (underWay.size() > random.nextInt(IN_FLIGHT)) {
                subtask.finish(underWay.poll());
            }
        }
        while (!underWay.isEmpty()) {
            subtask.finish(underWay.poll());
        }
    }

    private FakeSubtask newSubtask() {
        return new FakeSubtask(budget.join(device));
    }
}
