package io.flinkgpu.operator.window.slices;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Windows of slices that are added up in blocks, against the same on the heap, one by one.
 *
 * <p>Covers: SliceSums.
 */
class SliceSumsTest {

    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private final BufferAllocator allocator = new RootAllocator();
    private final GroupTables tables =
            new GroupTables(allocator, Aggregates.of((Long number) -> number).sum().specs());
    private final KeyBytes key = new KeyBytes();
    private final Random random = new Random(SEED);

    /** By the start of a slice: the sums of its keys, as they came. */
    private final TreeMap<Long, Map<Long, Long>> expected = new TreeMap<>();

    private WindowGroups<Long> groups;

    @AfterEach
    void close() {
        groups.close();
        allocator.close();
    }

    /** Windows that fire in order and not, of slices that are added to meanwhile, near the ends of time too. */
    @Test
    void windowsAreWhatTheirSlicesAre() throws Exception {
        for (int run = 0; run < 200; run++) {
            long slide = 1 + random.nextInt(4);
            long size = slide * (8 + random.nextInt(60)) + random.nextInt((int) slide);
            WindowShape shape = WindowShape.sliding(true, size, slide, random.nextInt((int) slide));
            open(shape);
            long first = random.nextInt(4) == 0 ? Long.MAX_VALUE - size - 30 * slide : 1000;
            int keys = random.nextBoolean() ? 3 : 1_000_000;
            long newest = first;
            for (int step = 0; step < 150; step++) {
                long time = random.nextInt(4) == 0 ? back(newest, size) : newest;
                long start = shape.sliceStart(time);
                if (!shape.windows(start, start + shape.sliceMillis()).isEmpty()) {
                    add(start, shape.sliceMillis(), random.nextInt(keys));
                }
                long later = newest + random.nextInt(2 * (int) slide);
                newest = random.nextInt(3) == 0 ? Math.max(newest, later) : newest;
                if (random.nextInt(3) == 0) {
                    fireWindowOf(shape, random.nextInt(5) == 0 ? back(newest, size) : newest);
                }
                if (random.nextInt(200) == 0) {
                    groups.sliceSums().stop();
                }
            }
        }
    }

    private long back(long newest, long size) {
        return newest - random.nextInt((int) size);
    }

    private void fireWindowOf(WindowShape shape, long time) throws Exception {
        long start = shape.sliceStart(time);
        List<TimeWindow> windows = shape.windows(start, start + shape.sliceMillis());
        if (!windows.isEmpty()) {
            TimeWindow window = windows.get(windows.size() - 1);
            assertThat(sums(window))
                    .as("seed=%d, shape=%s, window=%s", SEED, shape, window)
                    .isEqualTo(expected(window));
        }
    }

    @Test
    void sumsAreKeptWhereKeysRepeat() throws Exception {
        open(WindowShape.sliding(true, 60, 1, 0));
        long slices = fill(40, false);
        sums(new TimeWindow(0, 60));
        assertThat(allocator.getAllocatedMemory()).isGreaterThan(slices);
        groups.sliceSums().stop();
        sums(new TimeWindow(0, 60));
        assertThat(allocator.getAllocatedMemory()).isEqualTo(slices);
    }

    /** Before it is said that groups are too many. */
    @Test
    void theyAreDroppedWhereMemoryIsShort() throws Exception {
        open(WindowShape.sliding(true, 60, 1, 0));
        long slices = fill(40, false);
        WindowMemory<Long> memory = new WindowMemory<>(allocator, groups, null, slices);
        sums(new TimeWindow(0, 60));
        assertThat(memory.isFull()).isTrue();
        memory.dropSums();
        assertThat(memory.isFull()).isFalse();
        sums(new TimeWindow(0, 60));
        assertThat(memory.isFull()).isFalse();
    }

    @Test
    void noneAreKeptWhereKeysDoNotRepeat() throws Exception {
        open(WindowShape.sliding(true, 60, 1, 0));
        long slices = fill(44, true);
        sums(new TimeWindow(0, 60));
        assertThat(allocator.getAllocatedMemory()).isEqualTo(slices);
    }

    /** A block goes with the first of its slices. */
    @Test
    void noneAreLeftWhenTheirSlicesAreGone() throws Exception {
        open(WindowShape.sliding(true, 60, 1, 0));
        long slices = fill(40, false);
        sums(new TimeWindow(0, 60));
        groups.spans().forEach(groups.sliceSums()::changes);
        assertThat(allocator.getAllocatedMemory()).isEqualTo(slices);
    }

    private long fill(int slices, boolean newKeys) throws Exception {
        for (int slice = 0; slice < slices; slice++) {
            for (int i = 0; i < 50; i++) {
                add(slice, 1, newKeys ? 50 * slice + i : i);
            }
        }
        return allocator.getAllocatedMemory();
    }

    private void open(WindowShape shape) {
        if (groups != null) {
            groups.close();
        }
        expected.clear();
        groups = new WindowGroups<>(shape, 0, tables, null);
    }

    private void add(long start, long sliceMillis, long keyOf) {
        long number = random.nextInt(100);
        key.setLong(keyOf);
        GroupTable table = groups.table(start, start + sliceMillis);
        table.add(table.group(key.array(), 0, key.length(), 0), 0, number);
        expected.computeIfAbsent(start, s -> new LinkedHashMap<>()).merge(keyOf, number, Long::sum);
    }

    /** Of each key its number and its sum. */
    private List<List<Long>> sums(TimeWindow window) throws Exception {
        List<List<Long>> sums = new ArrayList<>();
        new WindowSums<>(groups, null)
                .of(
                        window,
                        (of, group) -> {
                            group.key(key);
                            sums.add(List.of(number(key), group.sumLow(0)));
                        });
        return sums;
    }

    private static long number(KeyBytes of) {
        return ByteBuffer.wrap(of.array()).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    private List<List<Long>> expected(TimeWindow window) {
        Map<Long, Long> sums = new LinkedHashMap<>();
        expected.subMap(window.getStart(), window.getEnd())
                .values()
                .forEach(slice -> slice.forEach((k, sum) -> sums.merge(k, sum, Long::sum)));
        return sums.entrySet().stream().map(e -> List.of(e.getKey(), e.getValue())).toList();
    }
}
