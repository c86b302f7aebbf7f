package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: IdLoader, IdIndex, StoredTable.
 */
class IdLoaderTest {

    /** More than a block, the second of which has several parts. */
    private static final int MANY = (1 << 18) + 40_000;

    private final RootAllocator allocator = new RootAllocator();

    @TempDir Path directory;

    @AfterEach
    void closeAllocator() {
        allocator.close();
    }

    private EmbeddingTable write(long[] ids) throws IOException {
        Path path = directory.resolve("vectors-" + ids.length);
        try (VectorFileWriter writer = new VectorFileWriter(path, ElementType.F32, 1)) {
            for (int i = 0; i < ids.length; i++) {
                writer.add(ids[i], element(i));
            }
            writer.finish(1);
        }
        return EmbeddingTable.of("t", 1, ElementType.F32).withBase(BaseFile.raw(path.toString()));
    }

    private static byte[] element(int number) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
    }

    private static long[] ids(int count) {
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = (i - 5L) * 0x9e37_79b9_7f4a_7c15L;
        }
        return ids;
    }

    /** A table of no, of one and of many vectors, in memory or not, by one thread and by several. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 20_000, MANY})
    void eachIdIsFound(int count) throws IOException {
        long[] ids = ids(count);
        EmbeddingTable table = write(ids);
        long memoryBytes = 4L * (count - count / 3);
        for (int threads : new int[] {1, 4}) {
            try (Workers workers = new Workers("test", threads);
                    VectorFile file = VectorFile.open(table, allocator, workers);
                    VectorMemory memory = new VectorMemory(allocator, memoryBytes);
                    StoredTable stored =
                            new StoredTable(
                                    table,
                                    file,
                                    memory,
                                    memoryBytes,
                                    allocator,
                                    directory.toString(),
                                    workers)) {
                assertThat(stored.index().size()).isEqualTo(count);
                for (int i = 0; i < count; i++) {
                    boolean isInMemory = i < memoryBytes / 4;
                    long tier = isInMemory ? Location.MEMORY : Location.BASE;
                    require(stored.index().find(ids[i]) == Location.of(tier, i), threads, i);
                    require(!isInMemory || MemoryUtil.getInt(stored.address(i)) == i, threads, i);
                }
                assertThat(stored.index().find(1)).isEqualTo(Location.NONE);
            }
        }
    }

    private static void require(boolean isRight, int threads, int vector) {
        if (!isRight) {
            throw new AssertionError("threads=" + threads + ", vector=" + vector);
        }
    }

    /** Of several ids that are there twice the first in the order of the file, whoever finds it. */
    @Test
    void theFirstIdThatIsThereTwiceIsNamed() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 3; round++) {
            long[] ids = ids(MANY);
            int first = MANY;
            for (int i = 0; i < 4; i++) {
                int twice = 1 + random.nextInt(MANY - 1);
                ids[twice] = ids[random.nextInt(twice)];
                first = Math.min(first, twice);
            }
            EmbeddingTable table = write(ids);
            for (int threads : new int[] {1, 4}) {
                try (Workers workers = new Workers("test", threads);
                        VectorFile file = VectorFile.open(table, allocator, workers);
                        IdIndex index = new IdIndex(allocator, MANY, workers)) {
                    assertThatThrownBy(() -> IdLoader.load(file, index, n -> n, allocator, workers))
                            .as("seed=%d", seed)
                            .isInstanceOf(IOException.class)
                            .hasMessageEndingWith(", vector=" + first + "; write each id once");
                }
            }
        }
    }

    /** Nearly all ids begin at the last slot of a range, so that most have to go on in the next, or from the first slot on. */
    @Test
    void idsThatDoNotFitIntoTheirRangeAreFound() throws IOException {
        int count = 40_000;
        int log = 17;
        long[] ids = ids(count);
        EmbeddingTable table = write(ids);
        for (int threads : new int[] {1, 4}) {
            try (Workers workers = new Workers("test", threads);
                    VectorFile file = VectorFile.open(table, allocator, workers)) {
                ArraySlots slots = new ArraySlots(log);
                IdLoader.load(file, slots, n -> n + 1, allocator, workers);
                assertThat(slots.size).isEqualTo(count);
                for (int i = 0; i < count; i++) {
                    require(slots.find(ids[i]) == i + 1, threads, i);
                }
            }
        }
        ids[count - 1] = ids[count - 2];
        EmbeddingTable twice = write(ids);
        try (Workers workers = new Workers("test", 4);
                VectorFile file = VectorFile.open(twice, allocator, workers)) {
            ArraySlots slots = new ArraySlots(log);
            assertThatThrownBy(() -> IdLoader.load(file, slots, n -> n + 1, allocator, workers))
                    .hasMessageContaining("vector=" + (count - 1) + ";");
        }
    }

    /** An index whose ids begin at the last few slots of each of 64 ranges. */
    private static final class ArraySlots implements IdSlots {

        private final long[] ids;
        private final long[] words;
        private final int rangeLog;
        private long size;

        ArraySlots(int log) {
            ids = new long[1 << log];
            words = new long[1 << log];
            rangeLog = log - 6;
        }

        @Override
        public long slots() {
            return ids.length;
        }

        @Override
        public long home(long id) {
            long range = id >>> 58;
            return (range + 1 << rangeLog) - 1 - (id >>> 40 & 7);
        }

        @Override
        public long fetch(long slot) {
            return ids[(int) slot];
        }

        @Override
        public Added add(long from, long to, long id, long word) {
            for (int slot = (int) from; slot < to; slot++) {
                if (words[slot] == 0) {
                    ids[slot] = id;
                    words[slot] = word;
                    return Added.NEW;
                }
                if (ids[slot] == id) {
                    return Added.TWICE;
                }
            }
            return Added.NO_ROOM;
        }

        @Override
        public void added(long count) {
            size += count;
        }

        long find(long id) {
            int slot = (int) home(id);
            while (words[slot] != 0 && ids[slot] != id) {
                slot = slot + 1 & ids.length - 1;
            }
            return words[slot];
        }
    }
}
