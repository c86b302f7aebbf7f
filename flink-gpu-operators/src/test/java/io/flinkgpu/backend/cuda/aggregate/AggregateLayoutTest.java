package io.flinkgpu.backend.cuda.aggregate;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: AggregateLayout.
 */
class AggregateLayoutTest {

    @ParameterizedTest
    @CsvSource({
        "1, 0, 1, false",
        "1, 0, 3, true",
        "31, 100, 2, true",
        "32, 100, 2, false",
        "16385, 1000000, 20, true",
        "1000000000, 2147483647, 30, true"
    })
    void arraysFollowEachOtherAlignedAndApart(
            int rows, int keyDataBytes, int values, boolean nulls) {
        long[] bitmaps = new long[values];
        Arrays.fill(bitmaps, nulls ? 1 : 0);
        AggregateInput input =
                new AggregateInput(
                        rows, keyDataBytes > 0, 1, 1, 0, keyDataBytes, 1, bitmaps, bitmaps);
        AggregateLayout layout = new AggregateLayout(input);
        List<Long> starts = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        add(starts, sizes, 0, AggregateLayout.headerBytes(values));
        add(starts, sizes, layout.scanStates, 8 * ((rows + 16_383L) / 16_384));
        add(starts, sizes, layout.table, 4 * layout.tableEntries);
        add(starts, sizes, layout.columns, (long) GroupAbi.COLUMN_BYTES * values);
        add(starts, sizes, layout.keys, 4 * (rows + (keyDataBytes > 0 ? 1L : 0)));
        add(starts, sizes, layout.keyData, keyDataBytes);
        add(starts, sizes, layout.slices, 8L * rows);
        for (int i = 0; i < values; i++) {
            add(starts, sizes, layout.data[i], 8L * rows);
            add(starts, sizes, layout.validity[i], nulls ? (rows + 7L) / 8 : 0);
        }
        add(starts, sizes, layout.rowGroups, 4L * rows);
        add(starts, sizes, layout.ranks, 8 * ((rows + 31L) / 32));
        add(starts, sizes, layout.block.end(), 0);
        for (int i = 0; i + 1 < sizes.size(); i++) {
            assertThat(starts.get(i) % 256).isZero();
            assertThat(starts.get(i + 1)).isGreaterThanOrEqualTo(starts.get(i) + sizes.get(i));
        }
        assertThat(layout.zeroBytes).isEqualTo(layout.columns);
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 4", "3, 8", "4, 8", "5, 16", "1000, 2048", "1024, 2048", "1025, 4096"})
    void theTableIsAtMostHalfFull(int rows, long entries) {
        assertThat(AggregateLayout.tableEntries(rows)).isEqualTo(entries);
    }

    @ParameterizedTest
    @CsvSource({"1073741823, 2147483648", "1073741825, 4294967296", "2147483647, 4294967296"})
    void theLargestBatchHasATable(int rows, long entries) {
        assertThat(AggregateLayout.tableEntries(rows)).isEqualTo(entries);
    }

    private static void add(List<Long> starts, List<Long> sizes, long start, long size) {
        starts.add(start);
        sizes.add(size);
    }
}
