package io.flinkgpu.backend.cuda.device;

import jcuda.driver.CUresult;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: PinnedMemory.
 */
class PinnedMemoryTest {

    private static final long MIB = 1L << 20;

    private final Locks locks = new Locks();
    private final PinnedMemory memory = new PinnedMemory(locks);

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
        assertThat(locks.held).isEmpty();
    }

    /** The driver is not to take them while others wait for it. */
    @Test
    void thePagesAreThereBeforeTheyAreLocked() throws Exception {
        MemoryBlock block = memory.allocate(70 * MIB);
        long address = block.address();
        MemoryUtil.putLong(address + 40 * MIB, 42);
        long before = residentBytes(address);
        long[] atLock = new long[1];
        locks.onLock = () -> atLock[0] = residentBytes(address);
        memory.lock(address + 40 * MIB, 1);
        assertThat(atLock[0] - before).isBetween(31 * MIB, 33 * MIB);
        assertThat(MemoryUtil.getLong(address + 40 * MIB)).isEqualTo(42);
        memory.free(block);
    }

    /** A column is filled by the task's thread while another of its unit is copied. */
    @Test
    void whatIsWrittenWhileItIsLockedStays() throws Exception {
        for (int round = 0; round < 5; round++) {
            MemoryBlock block = memory.allocate(32 * MIB);
            long address = block.address();
            CountDownLatch writing = new CountDownLatch(1);
            AtomicBoolean isLocked = new AtomicBoolean();
            // Memory that was given back comes with what was in it.
            for (long page = 0; page < 32 * MIB; page += 1 << 16) {
                MemoryUtil.putLong(address + page, 0);
            }
            CompletableFuture<Long> last =
                    CompletableFuture.supplyAsync(
                            () -> {
                                long value = 0;
                                while (!isLocked.get()) {
                                    value++;
                                    for (long page = 0; page < 32 * MIB; page += 1 << 16) {
                                        long there = MemoryUtil.getLong(address + page);
                                        if (there != value - 1) {
                                            throw new IllegalStateException("lost at " + page);
                                        }
                                        MemoryUtil.putLong(address + page, value);
                                    }
                                    writing.countDown();
                                }
                                return value;
                            });
            while (!writing.await(10, TimeUnit.MILLISECONDS)) {
                assertThat(last).isNotCompletedExceptionally();
            }
            memory.lock(address, 1);
            isLocked.set(true);
            long value = last.get();
            assertThat(MemoryUtil.getLong(address)).isEqualTo(value);
            memory.free(block);
        }
    }

    /** Of the mapping that an address is in, as Linux knows it. */
    private static long residentBytes(long address) {
        boolean isIn = false;
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
                if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                    String[] range = line.substring(0, line.indexOf(' ')).split("-");
                    isIn =
                            Long.parseUnsignedLong(range[0], 16) <= address
                                    && address < Long.parseUnsignedLong(range[1], 16);
                } else if (isIn && line.startsWith("Rss:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no mapping of the address");
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
        Runnable onLock = () -> {};

        @Override
        public int lock(long address, long bytes) {
            calls++;
            onLock.run();
            if (answer == CUresult.CUDA_SUCCESS) {
                held.put(address, bytes);
            }
            return answer;
        }

        @Override
        public int unlock(long address) {
            assertThat(held.remove(address)).isNotNull();
            if (failsToUnlock) {
                throw new IllegalStateException("not unlocked");
            }
            return CUresult.CUDA_SUCCESS;
        }
    }
}
