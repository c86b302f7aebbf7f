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
        long segments = (dataBytes + 63L) / 64;
        long tiles = (rows + 4095L) / 4096;
        List<Long> starts =
                List.of(
                        0L,
                        layout.scanStates(),
                        layout.rowOver(),
                        layout.data(),
                        layout.offsets(),
                        layout.bitmap(),
                        layout.candidates(),
                        layout.overRows(),
                        layout.rowSizes(),
                        layout.outOffsets(),
                        layout.changed(),
                        layout.totalBytes());
        List<Long> sizes =
                List.of(
                        (long) KernelAbi.HEADER_BYTES,
                        8 * tiles,
                        (long) rows,
                        (long) dataBytes,
                        4 * (rows + 1L),
                        8 * segments,
                        4L * dataBytes,
                        4L * rows,
                        4L * rows,
                        4 * (rows + 1L),
                        (long) rows);
        for (int i = 0; i < sizes.size(); i++) {
            assertThat(starts.get(i) % 256).isZero();
            assertThat(starts.get(i + 1)).isGreaterThanOrEqualTo(starts.get(i) + sizes.get(i));
        }
        assertThat(layout.zeroBytes()).isEqualTo(layout.data());
    }
}
