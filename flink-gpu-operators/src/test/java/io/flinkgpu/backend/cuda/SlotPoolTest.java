package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;
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

/** Batches of several subtasks on a device whose memory is not enough for all of them. */
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
                                try (Subtask subtask = new Subtask()) {
                                    subtask.run(random);
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
        try (Subtask first = new Subtask();
                Subtask second = new Subtask()) {
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
        try (Subtask subtask = new Subtask()) {
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
        try (Subtask subtask = new Subtask()) {
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
    void aPoolClosesWithBatchesThatNobodyAwaited() throws Exception {
        try (Subtask subtask = new Subtask()) {
            subtask.start(COMMON_BYTES / 2);
            subtask.start(COMMON_BYTES / 2);
        }
        assertThat(device.heldBytes()).isZero();
    }

    @Test
    void aBatchThatWasRefusedIsNeverStarted() throws Exception {
        try (Subtask subtask = new Subtask()) {
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
        try (Subtask subtask = new Subtask()) {
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

    /** A thread's share and pool. */
    private final class Subtask implements AutoCloseable {

        private final DeviceBudget.Share share = budget.join(new SynchronizedMemory());
        private final List<FakeSlot> slots = new ArrayList<>();
        private final SlotPool<FakeSlot> pool = new SlotPool<>(this::open);

        private FakeSlot open() {
            FakeSlot slot = new FakeSlot(share);
            slots.add(slot);
            return slot;
        }

        void run(Random random) throws Exception {
            Deque<FakeSlot> underWay = new ArrayDeque<>();
            for (int batch = 0; batch < BATCHES; batch++) {
                // Any three buffers fit into the common memory, with the eighth more that they get.
                long[] sizes = random.longs(BUFFERS, 1, COMMON_BYTES / BUFFERS * 4 / 5).toArray();
                underWay.add(start(sizes));
                while (underWay.size() > random.nextInt(IN_FLIGHT)) {
                    finish(underWay.poll());
                }
            }
            while (!underWay.isEmpty()) {
                finish(underWay.poll());
            }
        }

        FakeSlot start(long... sizes) throws BackendException {
            return pool.start(slot -> startAndCount(slot, sizes));
        }

        private void startAndCount(FakeSlot slot, long... sizes) throws BackendException {
            boolean hadTurn = hasTurn();
            slot.start(sizes);
            if (!hadTurn && hasTurn()) {
                turns.incrementAndGet();
            }
        }

        private boolean hasTurn() {
            return slots.stream().anyMatch(slot -> slot.lent() > 0);
        }

        void finish(FakeSlot slot) throws BackendException {
            pool.finish(
                    slot,
                    started -> {
                        started.check();
                        return null;
                    });
        }

        @Override
        public void close() {
            pool.close();
            share.close();
        }
    }

    /** Some buffers. */
    private static final class FakeSlot implements SlotPool.Slot {

        private final List<DeviceBuffer> buffers = new ArrayList<>();
        private final DeviceBudget.Share share;
        private long[] sizes;
        private int starts;
        private int drains;
        private boolean failsToGiveBack;

        FakeSlot(DeviceBudget.Share share) {
            this.share = share;
            for (int i = 0; i < BUFFERS; i++) {
                buffers.add(new DeviceBuffer(share));
            }
        }

        void start(long... newSizes) throws BackendException {
            starts++;
            sizes = newSizes;
            for (int i = 0; i < sizes.length; i++) {
                buffers.get(i).reserve(sizes[i]);
            }
        }

        void check() {
            for (int i = 0; i < sizes.length; i++) {
                assertThat(buffers.get(i).capacityBytes()).isGreaterThanOrEqualTo(sizes[i]);
            }
        }

        long lent() {
            return buffers.stream().filter(buffer -> share.isLent(buffer.address())).count();
        }

        @Override
        public void drain() {
            drains++;
        }

        @Override
        public void giveBackLent() throws BackendException {
            if (failsToGiveBack) {
                throw new BackendException("no free");
            }
            for (DeviceBuffer buffer : buffers) {
                buffer.closeIfLent();
            }
        }

        @Override
        public boolean isLentMemoryWanted() {
            return share.isWantedByOthers();
        }

        @Override
        public void close() throws BackendException {
            for (DeviceBuffer buffer : buffers) {
                buffer.close();
            }
        }
    }

    /** The device, as all threads see it. */
    private final class SynchronizedMemory implements MemorySource {

        @Override
        public String kind() {
            return device.kind();
        }

        @Override
        public long allocate(long bytes) throws BackendException {
            synchronized (device) {
                return device.allocate(bytes);
            }
        }

        @Override
        public void free(long address) {
            synchronized (device) {
                device.free(address);
            }
        }
    }
}
