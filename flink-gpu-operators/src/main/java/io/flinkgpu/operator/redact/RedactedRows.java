package io.flinkgpu.operator.redact;

import io.flinkgpu.column.RecordRows;
import io.flinkgpu.column.TextView;
import io.flinkgpu.column.Utf8;
import io.flinkgpu.operator.SplitText;

import java.util.Arrays;

/** The redacted rows of a record, which may lie in several parts of a result. Task thread only. */
final class RedactedRows implements RecordRows {

    private static final int[] NONE = {};

    private final SplitText earlier = new SplitText();

    /** Where the rows of earlier parts end in their bytes. */
    private int[] ends = NONE;

    /** All rows' bytes if some were in earlier parts, else null. */
    private byte[] joined;

    private TextView text;
    private int firstRow;
    private int rows;

    /** Adds what a part has that is not the record's last. */
    void addEarlier(TextView text, int firstRow, int rows) {
        set(text, firstRow, rows);
        addEnds();
        earlier.add(lastBytes());
    }

    /** Sets what the record's last part has, which stays open until {@link #clear}. */
    void setLast(TextView text, int firstRow, int rows) {
        set(text, firstRow, rows);
        if (!earlier.isEmpty()) {
            addEnds();
            joined = earlier.take(lastBytes());
        }
    }

    @Override
    public byte[] bytes() {
        return joined == null ? lastBytes() : joined;
    }

    @Override
    public String text(int row) {
        if (joined == null) {
            byte[] bytes = text.copyRow(firstRow + row);
            return Utf8.decode(bytes, 0, bytes.length);
        }
        int start = row == 0 ? 0 : ends[row - 1];
        return Utf8.decode(joined, start, ends[row] - start - text.separatorBytes());
    }

    /** Forgets the record. */
    void clear() {
        earlier.clear();
        ends = NONE;
        joined = null;
        text = null;
    }

    private void set(TextView text, int firstRow, int rows) {
        this.text = text;
        this.firstRow = firstRow;
        this.rows = rows;
    }

    private void addEnds() {
        int before = ends.length;
        int beforeBytes = before == 0 ? 0 : ends[before - 1];
        ends = Arrays.copyOf(ends, before + rows);
        for (int i = 0; i < rows; i++) {
            ends[before + i] = beforeBytes + text.start(firstRow + i + 1) - text.start(firstRow);
        }
    }

    private byte[] lastBytes() {
        return text.copy(text.start(firstRow), text.start(firstRow + rows));
    }
}
