package io.flinkgpu.backend.cuda;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class RedactLayoutTest {

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "64, 1", "65, 3", "4194304, 65536", "2147483647, 16777216"})
    void arraysFollowEachOtherAlignedAndApart(int dataBytes, int rows) {
        RedactLayout layout = RedactLayout.of(dataBytes, rows);
        long segments = (dataBytes + 31L) / 32;
        long tiles = Math.max(1, (dataBytes + 7167L) / 7168);
        List<Long> starts =
                List.of(
                        layout.data(),
                        layout.offsets(),
                        layout.bitmap(),
                        layout.candidates(),
                        layout.overRows(),
                        layout.scanStates(),
                        layout.carries(),
                        layout.rowOver(),
                        layout.header(),
                        layout.changed(),
                        layout.outOffsets(),
                        layout.outData());
        List<Long> sizes =
                List.of(
                        (long) dataBytes,
                        4 * (rows + 1L),
                        4 * segments,
                        4L * dataBytes,
                        4L * rows,
                        8 * tiles,
                        4 * tiles,
                        rows + 1L,
                        (long) KernelAbi.HEADER_BYTES,
                        (long) rows,
                        4 * (rows + 1L));
        for (int i = 0; i < sizes.size(); i++) {
            assertThat(starts.get(i) % 256).isZero();
            assertThat(starts.get(i + 1)).isGreaterThanOrEqualTo(starts.get(i) + sizes.get(i));
        }
        assertThat(layout.outData() % 256).isZero();
        assertThat(layout.scanStates() + layout.zeroBytes()).isEqualTo(layout.outOffsets());
        assertThat(layout.outOffsets() - layout.header()).isEqualTo(layout.output().offsets());
        assertThat(layout.outData() - layout.header()).isEqualTo(layout.output().data());
    }
}
