package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.DeviceOutOfMemoryException;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: PinnedArena.
 */
class PinnedArenaTest {

    private static final long SEED = 20260101;

    private final FakeMemory memory = new FakeMemory(1 << 20);

    @Test
    void piecesAreAlignedApartAndComeBack() throws Exception {
        Random random = new Random(SEED);
        PinnedArena arena = new PinnedArena(memory, 1 << 16, 1 << 14);
        TreeMap<Long, Long> taken = new TreeMap<>();
        for (int step = 0; step < 20_000; step++) {
            if (random.nextBoolean()) {
                long bytes = 1 + random.nextInt(3000);
                long address = arena.take(bytes);
                if (address != PinnedArena.NONE) {
                    assertThat(address % PinnedArena.ALIGNMENT_BYTES).isZero();
                    Map.Entry<Long, Long> below = taken.floorEntry(address);
                    assertThat(below == null || below.getKey() + below.getValue() <= address)
                            .as("seed %s step %s", SEED, step)
                            .isTrue();
                    Long above = taken.higherKey(address);
                    assertThat(above == null || address + bytes <= above)
                            .as("seed %s step %s", SEED, step)
                            .isTrue();
                    taken.put(address, bytes);
                }
            } else if (!taken.isEmpty()) {
                List<Long> addresses = new ArrayList<>(taken.keySet());
                long address = addresses.get(random.nextInt(addresses.size()));
                taken.remove(address);
                arena.giveBack(address);
            }
        }
        taken.keySet().forEach(arena::giveBack);
        assertThat(arena.takenBytes()).isZero();
        assertThat(arena.largestFreeBytes()).isEqualTo(1 << 14);
        arena.close();
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void aPieceNeverSpansTwoSlabs() throws Exception {
        PinnedArena arena = new PinnedArena(memory, 4096, 1024);
        assertThat(memory.heldBlocks()).isEqualTo(4);
        assertThat(arena.take(1025)).isEqualTo(PinnedArena.NONE);
        List<Long> pieces = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            pieces.add(arena.take(1024));
        }
        pieces.forEach(arena::giveBack);
        assertThat(arena.take(1025)).isEqualTo(PinnedArena.NONE);
        arena.close();
    }

    @Test
    void anArenaThatCannotOpenHoldsNothing() {
        assertThatThrownBy(() -> new PinnedArena(new FakeMemory(3000), 4096, 1024))
                .isInstanceOf(DeviceOutOfMemoryException.class);
        FakeMemory small = new FakeMemory(3000);
        assertThatThrownBy(() -> new PinnedArena(small, 4096, 1024))
                .hasMessage("no fake memory: bytes=1024");
        assertThat(small.heldBytes()).isZero();
    }

    @Test
    void closingWithAPieceTakenFailsAndKeepsTheMemory() throws Exception {
        PinnedArena arena = new PinnedArena(memory, 4096, 4096);
        long piece = arena.take(100);
        assertThatThrownBy(arena::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pieces=1, bytes=256");
        assertThat(memory.heldBytes()).isEqualTo(4096);
        arena.giveBack(piece);
        assertThatThrownBy(() -> arena.giveBack(piece)).isInstanceOf(IllegalStateException.class);
        arena.close();
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void arrowBuffersLiveInTheArena() throws Exception {
        PinnedArena arena = new PinnedArena(memory, 1 << 16, 1 << 16);
        try (BufferAllocator allocator = PinnedAllocationManager.newAllocator(arena, 1 << 16)) {
            try (ArrowBuf buffer = allocator.buffer(1000);
                    ArrowBuf empty = allocator.buffer(0)) {
                buffer.setLong(992, 42);
                assertThat(buffer.getLong(992)).isEqualTo(42);
                assertThat(buffer.memoryAddress() % PinnedArena.ALIGNMENT_BYTES).isZero();
                assertThat(arena.takenBytes()).isEqualTo(1024);
                assertThat(allocator.getAllocatedMemory()).isEqualTo(1024);
                assertThat(empty.capacity()).isZero();
            }
            assertThat(arena.takenBytes()).isZero();
        }
        arena.close();
    }

    @Test
    void aFullArenaIsArrowsOutOfMemory() throws Exception {
        // The limit alone would let the second buffer through: the slabs are too small for it.
        PinnedArena arena = new PinnedArena(memory, 1 << 16, 1 << 15);
        try (BufferAllocator allocator = PinnedAllocationManager.newAllocator(arena, 1 << 16);
                ArrowBuf first = allocator.buffer(1000)) {
            assertThatThrownBy(() -> allocator.buffer(40_000))
                    .isInstanceOf(OutOfMemoryException.class)
                    .hasMessageContaining("memoryLimitBytes=65536")
                    .hasMessageContaining("raise the operator's memory limit");
            assertThat(allocator.getAllocatedMemory()).isEqualTo(first.capacity());
        }
        arena.close();
    }
}
