package io.flinkgpu.backend.cuda.device;

import jcuda.driver.CUresult;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.TreeMap;

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

        @Override
        public int lock(long address, long bytes) {
            calls++;
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
