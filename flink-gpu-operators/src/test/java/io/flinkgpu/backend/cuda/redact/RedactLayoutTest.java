package io.flinkgpu.backend.cuda.redact;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: RedactLayout.
 */
class RedactLayoutTest {

    private static final int RULES = 300;
    private static final long HEADER_BYTES = RedactAbi.HEADER_RULE_MATCHES + 8L * RULES;

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "64, 1", "65, 3", "4194304, 65536", "2147483647, 16777216"})
    void arraysFollowEachOtherAlignedAndApart(int dataBytes, int rows) {
        RedactLayout layout = RedactLayout.ofRows(dataBytes, rows, RULES, true);
        long segments = (dataBytes + 31L) / 32;
        long tiles = Math.max(1, (dataBytes + 7167L) / 7168);
        List<Long> starts =
                List.of(
                        layout.data,
                        layout.offsets,
                        layout.bitmap,
                        layout.candidates,
                        layout.overRows,
                        layout.scanStates,
                        layout.carries,
                        layout.rowOver,
                        layout.header,
                        layout.changed,
                        layout.outOffsets,
                        layout.outData);
        List<Long> sizes =
                List.of(
                        (long) dataBytes,
                        4 * (rows + 1L),
                        4 * segments,
                        4L * dataBytes,
                        8L * rows,
                        8 * tiles,
                        4 * tiles,
                        rows + 1L,
                        HEADER_BYTES,
                        (long) rows,
                        4 * (rows + 1L));
        assertApart(starts, sizes);
        assertThat(layout.scanStates + layout.zeroBytes).isEqualTo(layout.outOffsets);
        assertThat(layout.found).isEqualTo(layout.candidates);
        assertThat(layout.candidateZeroBytes).isZero();
        OutputLayout output = OutputLayout.of(rows, RULES);
        assertThat(layout.outOffsets - layout.header).isEqualTo(output.offsets());
        assertThat(layout.outData - layout.header).isEqualTo(output.data());
    }

    /** The output is that of one row; what the kernels write of lines lies before. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 4095, 4096, 4097, 4194304, 2147483647})
    void arraysOfLinesToo(int dataBytes) {
        RedactLayout layout = RedactLayout.ofLines(dataBytes, RULES, false);
        long lines = layout.rowCapacity;
        long tiles = RedactLaunch.write(dataBytes).blocks();
        assertThat(lines).isEqualTo(1 + dataBytes / 8);
        assertApart(
                List.of(
                        layout.data,
                        layout.offsets,
                        layout.bitmap,
                        layout.candidates,
                        layout.found,
                        layout.overRows,
                        layout.outOffsets,
                        layout.scanStates,
                        layout.carries,
                        layout.lineStates,
                        layout.rowOver,
                        layout.changed,
                        layout.header,
                        layout.outData),
                List.of(
                        (long) dataBytes,
                        4 * (lines + 1),
                        4 * ((dataBytes + 31L) / 32),
                        4L * dataBytes,
                        4L * dataBytes,
                        8 * lines,
                        4 * (lines + 1),
                        8 * tiles,
                        4 * tiles,
                        8L * RedactLaunch.findLines(dataBytes).blocks(),
                        lines + 1,
                        lines,
                        HEADER_BYTES));
        assertThat(layout.bitmap + layout.candidateZeroBytes).isEqualTo(layout.found);
        assertThat(layout.scanStates + layout.zeroBytes)
                .isBetween(layout.header + HEADER_BYTES, layout.outData);
        assertThat(layout.outData - layout.header).isEqualTo(OutputLayout.of(1, RULES).data());
    }

    private static void assertApart(List<Long> starts, List<Long> sizes) {
        for (int i = 0; i < starts.size(); i++) {
            assertThat(starts.get(i) % 256).isZero();
        }
        for (int i = 0; i < sizes.size(); i++) {
            assertThat(starts.get(i + 1)).isGreaterThanOrEqualTo(starts.get(i) + sizes.get(i));
        }
    }
}
