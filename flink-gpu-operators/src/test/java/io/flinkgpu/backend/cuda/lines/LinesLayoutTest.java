package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CudaDevice;
import io.flinkgpu.backend.cuda.device.KernelModule;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.TimeSlices;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Sizes of what a batch of lines takes on the device.
 *
 * <p>Covers: LinesLayout, LinesFields.
 */
class LinesLayoutTest {

    private static final CudaDevice H200 = new CudaDevice(0, "H200", 90, 132, 227 << 10, 228 << 10);
    private static final CudaDevice TURING = new CudaDevice(0, "T4", 75, 40, 64 << 10, 64 << 10);

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "31, 1, 3", "32, 2, 1", "16385, 1000, 20", "2147483647, 100000, 32"})
    void arraysFollowEachOtherAlignedAndApart(int dataBytes, int breaks, int values) {
        LinesInput input = new LinesInput(1, dataBytes, 0, 1, breaks, LinesTable.forGroups(0));
        LinesLayout layout = new LinesLayout(input, values);
        long[] starts = {
            0,
            layout.refusedBits,
            layout.scanStates,
            layout.header,
            layout.smallResult,
            layout.breaks,
            layout.block.end()
        };
        long[] sizes = {
            (long) dataBytes + LinesAbi.LINES_PADDING_BYTES,
            4 * ((dataBytes + 31L) / 32),
            8 * ((dataBytes + 16_383L) / 16_384),
            LinesAbi.LINES_HEADER_BYTES + 8L * values,
            LinesLayout.SMALL_RESULT_BYTES,
            4L * breaks
        };
        for (int i = 0; i < sizes.length; i++) {
            assertThat(starts[i] % 256).isZero();
            assertThat(starts[i + 1]).isGreaterThanOrEqualTo(starts[i] + sizes[i]);
        }
        assertThat(layout.dataBytes + layout.zeroBytes()).isEqualTo(layout.breaks);
        assertThat(layout.smallResult).isEqualTo(layout.header + LinesLayout.headerBytes(values));
    }

    @ParameterizedTest
    @CsvSource({"0, 8192", "413, 8192", "4096, 8192", "4097, 16384", "1000000, 2097152"})
    void aTableIsAtMostHalfFullOfAsManyGroupsAsBefore(long groups, int slots) {
        assertThat(LinesTable.forGroups(groups).slots()).isEqualTo(slots);
    }

    @ParameterizedTest
    @CsvSource({"1", "100", "5000", "300000", "5000000", "700000000"})
    void aTableGrowsUntilItHasRoomForEveryLine(long lines) {
        LinesTable table = LinesTable.forGroups(0);
        int times = 0;
        while (table.probes() < table.slots()) {
            table = table.grown(lines);
            times++;
        }
        assertThat(times).isBetween(1, 6);
        assertThat((long) table.slots()).isGreaterThanOrEqualTo(Math.min(1 << 30, 2 * lines));
        assertThat(table.slots()).isLessThanOrEqualTo(1 << 30);
    }

    @Test
    void aBlockTakesAsMuchSharedMemoryAsLetsTwoRun() throws Exception {
        LinesFields oneDecimal = new LinesFields(plan(1, ColumnType.decimal(18, 1), null));
        LinesShape shape = LinesShape.of(H200, oneDecimal);
        assertThat(oneDecimal.recordWords()).isEqualTo(8);
        assertThat(shape.ownSlots()).isEqualTo(1024);
        assertThat(shape.sharedBytes() + KernelModule.RESERVED_SHARED_BYTES)
                .isLessThanOrEqualTo(114 << 10);
        assertThat(shape.launch(Integer.MAX_VALUE).blocks()).isEqualTo(264);
        assertThat(shape.launch(1).blocks()).isEqualTo(1);
    }

    @Test
    void smallDevicesAndWideRecordsHaveSmallTablesOrNone() throws Exception {
        LinesFields oneDecimal = new LinesFields(plan(1, ColumnType.decimal(18, 1), null));
        LinesFields manyDoubles =
                new LinesFields(plan(32, ColumnType.DOUBLE, new TimeSlices(1, 1000, 0)));
        for (CudaDevice device : List.of(H200, TURING)) {
            for (LinesFields fields : List.of(oneDecimal, manyDoubles)) {
                LinesShape shape = LinesShape.of(device, fields);
                assertThat(shape.sharedBytes() + KernelModule.RESERVED_SHARED_BYTES)
                        .isLessThanOrEqualTo(device.sharedBytesPerBlock());
                assertThat(Integer.bitCount(shape.ownSlots())).isLessThanOrEqualTo(1);
            }
        }
        assertThat(manyDoubles.recordWords()).isEqualTo(4 + 32 * 12);
        assertThat(LinesShape.of(TURING, oneDecimal).ownSlots()).isEqualTo(128);
        assertThat(LinesShape.of(TURING, oneDecimal).mostBlocks()).isEqualTo(40);
        assertThat(LinesShape.of(TURING, manyDoubles).ownSlots()).isZero();
    }

    @Test
    void moreFieldsThanAThreadHasRoomForAreRefused() {
        LinePlan plan = plan(33, ColumnType.DOUBLE, null);
        assertThatThrownBy(() -> new LinesFields(plan))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("fields=33, at most=32; use the CPU backend");
    }

    private static LinePlan plan(int values, ColumnType type, TimeSlices time) {
        Delimited format = Delimited.of(';').string("key").epochMillis("time");
        List<ValueSpec> specs = new ArrayList<>();
        for (int i = 0; i < values; i++) {
            boolean isDouble = type.isFloating();
            format = isDouble ? format.doubleNumber("v" + i) : format.decimal("v" + i, 1);
            specs.add(
                    new ValueSpec(
                            "v" + i, type, List.of(Aggregate.MIN, Aggregate.MEAN, Aggregate.MAX)));
        }
        List<Integer> fields = IntStream.range(2, 2 + values).boxed().toList();
        return new LinePlan(format, 0, time, fields, specs);
    }
}
