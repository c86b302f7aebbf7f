package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.SpareMemory;

import jcuda.driver.CUresult;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: PinnedMemory, PinnedSlab.
 */
class PinnedMemoryTest {

    private static final long MIB = 1L << 20;

    private final Locks locks = new Locks();
    private final SpareMemory spare = new SpareMemory(1 << 30, Duration.ofMinutes(10));
    private final PinnedMemory memory = new PinnedMemory(locks, spare);

    @AfterEach
    void nothingStays() {
        locks.failsToUnlock = false;
        spare.releaseAll();
        assertThat(locks.held).isEmpty();
    }

    @Test
    void nothingIsLockedBeforeItIsCopied() throws Exception {
        MemoryBlock block = memory.allocate(100 * MIB);
        long address = block.address();
        MemoryUtil.putLong(address, 42);
        MemoryUtil.putLong(address + 100 * MIB - 8, 43);
        assertThat(locks.held).isEmpty();
        memory.free(block);
    }

    @Test
    void aCopyLocksThePieceItTouchesAndEndsWithIt() throws Exception {
        MemoryBlock block = memory.allocate(70 * MIB);
        long address = block.address();
        assertThat(address % 4096).isZero();

        assertThat(memory.lock(address + 31 * MIB, 10 * MIB)).isEqualTo(MIB);
        assertThat(locks.held).containsExactly(Map.entry(address, 32 * MIB));
        assertThat(memory.lock(address + 32 * MIB, 9 * MIB)).isEqualTo(9 * MIB);
        assertThat(memory.lock(address + 64 * MIB, 9 * MIB)).isEqualTo(6 * MIB);
        assertThat(locks.held)
                .containsExactly(
                        Map.entry(address, 32 * MIB),
                        Map.entry(address + 32 * MIB, 32 * MIB),
                        Map.entry(address + 64 * MIB, 6 * MIB));
        memory.lock(address, 1);
        assertThat(locks.calls).isEqualTo(3);
        memory.free(block);
    }

    @Test
    void whatIsLockedIsSpareForTheNextOfItsSizeAndDevice() throws Exception {
        MemoryBlock block = memory.allocate(70 * MIB);
        memory.lock(block.address(), 1);
        MemoryUtil.putLong(block.address() + 40 * MIB - 8, 42);
        memory.free(block, 40 * MIB);
        assertThat(locks.held).hasSize(1);
        assertThat(spare.bytes()).as("locked, and written to").isEqualTo(40 * MIB);

        PinnedMemory ofOther = new PinnedMemory(new Locks(), spare);
        MemoryBlock other = ofOther.allocate(70 * MIB);
        MemoryBlock larger = new PinnedMemory(locks, spare).allocate(71 * MIB);
        assertThat(other.address()).isNotEqualTo(block.address());
        assertThat(larger.address()).isNotEqualTo(block.address());
        assertThat(spare.bytes()).isEqualTo(40 * MIB);

        PinnedMemory ofNext = new PinnedMemory(locks, spare);
        MemoryBlock next = ofNext.allocate(70 * MIB - 5);
        assertThat(next.address()).isEqualTo(block.address());
        assertThat(spare.bytes()).isZero();
        assertThat(MemoryUtil.getLong(next.address() + 40 * MIB - 8)).as("is forgotten").isZero();
        ofNext.lock(next.address(), MIB);
        assertThat(locks.calls).isEqualTo(1);
        ofNext.free(next, MIB);
        assertThat(spare.bytes()).as("it has all that it ever had").isEqualTo(40 * MIB);
        ofOther.free(other);
    }

    /** Of eight subtasks that come and go at once there is room for the memory of six. */
    @Test
    void jobsOneAfterTheOtherLockWhatTheFirstHadNot() throws Exception {
        spare.limit(6 * 32 * MIB);
        runJob(8);
        assertThat(locks.calls).isEqualTo(8);
        assertThat(spare.bytes()).isEqualTo(6 * 32 * MIB);
        assertThat(locks.held).hasSize(6);
        runJob(6);
        assertThat(locks.calls).isEqualTo(8);
        runJob(8);
        assertThat(locks.calls).isEqualTo(10);
        assertThat(locks.held).hasSize(6);
    }

    /** Each subtask writes to a column and copies it while the others do. */
    private void runJob(int subtasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(subtasks);
        CyclicBarrier allOpen = new CyclicBarrier(subtasks);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < subtasks; i++) {
            running.add(
                    threads.submit(
                            () -> {
                                PinnedMemory own = new PinnedMemory(locks, spare);
                                PinnedArena arena = new PinnedArena(own, 40 * MIB, 64 * MIB);
                                allOpen.await(30, TimeUnit.SECONDS);
                                long column = arena.take(MIB);
                                assertThat(MemoryUtil.getLong(column)).isZero();
                                MemoryUtil.putLong(column, 42);
                                own.lock(column, MIB);
                                allOpen.await(30, TimeUnit.SECONDS);
                                assertThat(MemoryUtil.getLong(column)).isEqualTo(42);
                                arena.giveBack(column);
                                arena.close();
                                return null;
                            }));
        }
        for (Future<?> one : running) {
            one.get();
        }
        threads.shutdown();
    }

    @Test
    void whatIsNotLockedIsGivenBack() throws Exception {
        MemoryBlock block = memory.allocate(40 * MIB);
        memory.free(block, 40 * MIB);
        assertThat(spare.bytes()).isZero();
    }

    @Test
    void whatThereIsNoRoomForIsUnlocked() throws Exception {
        spare.limit(31 * MIB);
        MemoryBlock block = memory.allocate(40 * MIB);
        memory.lock(block.address(), 1);
        memory.free(block, 1);
        assertThat(spare.bytes()).isZero();
        assertThat(locks.held).isEmpty();
    }

    @Test
    void spareMemoryIsGivenBackWhereNoMoreMayBeLocked() throws Exception {
        MemoryBlock block = memory.allocate(40 * MIB);
        memory.lock(block.address(), 1);
        memory.free(block, 1);
        locks.most = 1;

        MemoryBlock other = memory.allocate(64 * MIB);
        memory.lock(other.address(), 1);
        assertThat(spare.bytes()).isZero();
        assertThat(locks.held.keySet()).containsExactly(other.address());
        memory.lock(other.address() + 32 * MIB, 1);
        assertThat(locks.held).hasSize(1);
        assertThat(locks.calls).as("one, one of which was tried again, one refused").isEqualTo(4);
        memory.free(other, 64 * MIB);
    }

    @Test
    void slabsOfAContextThatIsGoneAreKnown() throws Exception {
        MemoryBlock block = memory.allocate(40 * MIB);
        memory.lock(block.address(), 1);
        memory.free(block, 1);
        spare.releaseIf(piece -> PinnedSlab.isOf(new Locks().context(), piece));
        assertThat(spare.bytes()).isEqualTo(32 * MIB);
        spare.releaseIf(piece -> PinnedSlab.isOf(locks.context(), piece));
        assertThat(spare.bytes()).isZero();
    }

    @Test
    void whereNoMoreMayBeLockedCopiesGoOn() throws Exception {
        MemoryBlock block = memory.allocate(64 * MIB);
        long address = block.address();
        locks.answer = CUresult.CUDA_ERROR_OUT_OF_MEMORY;
        assertThat(memory.lock(address, 40 * MIB)).isEqualTo(32 * MIB);
        assertThat(memory.lock(address + 32 * MIB, 8 * MIB)).isEqualTo(8 * MIB);
        assertThat(locks.calls).isEqualTo(1);
        memory.free(block);
    }

    @Test
    void allIsUnlockedWhateverFails() throws Exception {
        MemoryBlock block = memory.allocate(96 * MIB);
        for (long at = 0; at < 96 * MIB; at += 32 * MIB) {
            memory.lock(block.address() + at, 1);
        }
        assertThat(locks.held).hasSize(3);
        spare.limit(0);
        locks.failsToUnlock = true;
        assertThatThrownBy(() -> memory.free(block)).hasMessage("not unlocked");
        assertThat(locks.held).isEmpty();
    }

    @Test
    void memoryOfOthersIsRefused() throws Exception {
        MemoryBlock block = memory.allocate(4096);
        long address = block.address();
        assertThatThrownBy(() -> memory.lock(address + 4096, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("only memory of the backend is copied: address=0x");
        memory.free(block);
    }

    private static final class Locks implements PinnedMemory.PageLock {

        final TreeMap<Long, Long> held = new TreeMap<>();
        int answer = CUresult.CUDA_SUCCESS;
        boolean failsToUnlock;
        int calls;
        int most = Integer.MAX_VALUE;

        @Override
        public Object context() {
            return this;
        }

        @Override
        public synchronized int lock(long address, long bytes) {
            calls++;
            if (held.size() >= most) {
                return CUresult.CUDA_ERROR_OUT_OF_MEMORY;
            }
            if (answer == CUresult.CUDA_SUCCESS) {
                held.put(address, bytes);
            }
            return answer;
        }

        @Override
        public synchronized int unlock(long address) {
            assertThat(held.remove(address)).isNotNull();
            if (failsToUnlock) {
                throw new IllegalStateException("not unlocked");
            }
            return CUresult.CUDA_SUCCESS;
        }
    }
}
