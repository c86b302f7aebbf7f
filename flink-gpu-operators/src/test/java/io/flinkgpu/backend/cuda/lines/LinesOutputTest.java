package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.aggregate.AggregateHeader;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a faulty device says of lines is refused before memory is read by it.
 *
 * <p>Covers: LinesOutput.
 */
class LinesOutputTest {

    private static final int DATA_BYTES = 100;
    private static final LinePlan PLAN =
            new LinePlan(
                    Delimited.of(';').string("key").intNumber("value"),
                    0,
                    null,
                    List.of(1),
                    List.of(new ValueSpec("value", ColumnType.INT, List.of(Aggregate.COUNT))));

    private final RootAllocator allocator = new RootAllocator();

    @AfterEach
    void closeAllocator() {
        allocator.close();
    }

    @Test
    void keysAndRefusedLinesAreWhereThereAreSome() throws Exception {
        try (LineGroups groups = groups(new int[] {0, 4, 7}, 0, 99)) {
            assertThat(groups.refused()).isEqualTo(2);
        }
        assertRefused(() -> groups(new int[] {0, 8, 7}, 0, 99), "the offsets of keys of groups");
        assertRefused(() -> groups(new int[] {0, 4, 8}, 0, 99), "the offsets of keys of groups");
        assertRefused(() -> groups(new int[] {-1, 4, 7}, 0, 99), "the offsets of keys of groups");
        assertRefused(() -> groups(new int[] {0, 4, 7}, 9, 9), "the start of a refused line");
        assertRefused(() -> groups(new int[] {0, 4, 7}, 0, 100), "the start of a refused line");
        assertRefused(() -> groups(new int[] {0, 4, 7}, -1, 5), "the start of a refused line");
    }

    @Test
    void numbersOfAHeaderAreWithinTheBatch() throws Exception {
        header(2, 10, 7, 3, false).check(DATA_BYTES);
        // All but the lines means nothing then.
        header(-2, 10, -7, 30, true).check(DATA_BYTES);
        assertRefused(() -> header(2, 101, 7, 3, true).check(DATA_BYTES), "lines");
        assertRefused(() -> header(2, 10, 7, 11, false).check(DATA_BYTES), "refused lines");
        assertRefused(() -> header(2, 10, 7, -1, false).check(DATA_BYTES), "refused lines");
        assertRefused(() -> header(8, 10, 7, 3, false).check(DATA_BYTES), "groups of lines");
        assertRefused(() -> header(-1, 10, 7, 3, false).check(DATA_BYTES), "groups of lines");
        assertRefused(() -> header(2, 10, 101, 3, false).check(DATA_BYTES), "bytes of keys");
    }

    private static LinesHeader header(
            int groups, long lines, long keyBytes, int refused, boolean isFull) {
        AggregateHeader none = AggregateHeader.none(PLAN.aggregates());
        return new LinesHeader(
                new AggregateHeader(groups, none.firstBins(), none.bins()),
                lines,
                keyBytes,
                refused,
                0,
                isFull);
    }

    private static void assertRefused(ThrowingCallable call, String what) {
        assertThatThrownBy(call)
                .isInstanceOf(FatalDeviceException.class)
                .hasMessageStartingWith("wrong in a result: " + what + ": ");
    }

    /** Two groups with seven bytes of keys, and two refused lines. */
    private LineGroups groups(int[] keyOffsets, int... refusedStarts) throws Exception {
        LinesHeader header = header(2, 10, 7, 2, false);
        try (LinesOutput output = new LinesOutput(allocator, PLAN, header)) {
            long wordsBytes = header.wordsBytes(PLAN);
            output.copyResult(
                    (host, offset, bytes) -> {
                        if (offset == wordsBytes) {
                            put(host, keyOffsets);
                        }
                    });
            output.copyRefused((host, offset, bytes) -> put(host, refusedStarts));
            return output.toGroups(0, 0, DATA_BYTES);
        }
    }

    private static void put(long address, int[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            MemoryUtil.putInt(address + 4L * i, numbers[i]);
        }
    }
}
