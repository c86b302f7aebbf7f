package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class UnknownRowsTest {

    /** Long enough that sequences lie across the ends of what is looked at in one go. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void areFoundAndLeftOut(int separatorBytes) {
        String longRow = "x\u20ac\ud83d\ude00".repeat(10_000);
        List<byte[]> rows =
                List.of(
                        utf8("ascii"),
                        new byte[] {(byte) 0xc3},
                        new byte[] {(byte) 0xa9},
                        utf8(""),
                        utf8(longRow),
                        utf8(longRow.substring(1)),
                        utf8(longRow.substring(2)),
                        latin1(utf8(longRow), 40_001),
                        utf8("\u00e9"),
                        new byte[] {'a', (byte) 0xe2, (byte) 0x82});
        try (BufferAllocator allocator = new RootAllocator(64 << 20);
                ColumnBatch batch = batch(allocator, rows, separatorBytes)) {
            TextView text = batch.text(0);
            assertThat(UnknownRows.isAny(text)).isTrue();
            assertThat(UnknownRows.in(text)).containsExactly(1, 2, 7, 9);
            try (ColumnBatch left = UnknownRows.without(allocator, text, UnknownRows.in(text))) {
                assertThat(left.rows()).isEqualTo(rows.size());
                assertThat(UnknownRows.isAny(left.text(0))).isFalse();
                for (int row : new int[] {0, 3, 4, 5, 6, 8}) {
                    assertThat(left.text(0).copyRow(row)).isEqualTo(rows.get(row));
                }
                for (int row : new int[] {1, 2, 7, 9}) {
                    assertThat(left.text(0).copyRow(row)).isEmpty();
                }
            }
        }
    }

    private static ColumnBatch batch(
            BufferAllocator allocator, List<byte[]> rows, int separatorBytes) {
        try (BatchBuilder builder =
                new BatchBuilder(allocator, rows.size(), 1 << 20, separatorBytes)) {
            for (byte[] row : rows) {
                assertThat(builder.append(row, 0, row.length)).isTrue();
            }
            return builder.build();
        }
    }

    private static byte[] latin1(byte[] row, int at) {
        row[at] = (byte) 0xff;
        return row;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
