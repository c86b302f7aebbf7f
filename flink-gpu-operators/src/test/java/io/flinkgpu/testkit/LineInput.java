package io.flinkgpu.testkit;

import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A batch of lines, as bytes. */
public final class LineInput {

    private static final String[] BEHIND = {
        "9".repeat(64), ";1,1|1\t1\n".repeat(8), "\n".repeat(64)
    };

    final LinePlan plan;
    final List<byte[]> rows;

    public LineInput(LinePlan plan, List<byte[]> rows) {
        this.plan = plan;
        this.rows = List.copyOf(rows);
    }

    public LinePlan plan() {
        return plan;
    }

    public List<byte[]> rows() {
        return rows;
    }

    /**
     * The rows as a column, the caller's to close. Behind the last row are bytes that would give other
     * answers if they were read.
     */
    public ColumnBatch batch(BufferAllocator allocator) {
        byte[] behind = BEHIND[rows.size() % BEHIND.length].getBytes(StandardCharsets.US_ASCII);
        VarBinaryVector column = new VarBinaryVector("lines", allocator);
        long bytes = behind.length + rows.stream().mapToLong(row -> row.length).sum();
        column.allocateNew(bytes, rows.size() + 1);
        for (int i = 0; i < rows.size(); i++) {
            column.set(i, rows.get(i));
        }
        column.set(rows.size(), behind);
        column.setValueCount(rows.size() + 1);
        try (ColumnBatch all = new ColumnBatch(VectorSchemaRoot.of(column), 0)) {
            return all.slice(0, rows.size());
        }
    }

    /** The lines of the batch, without their ends. */
    List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        int start = 0;
        for (byte[] row : rows) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            int lineStart = 0;
            for (int i = 0; i < row.length; i++) {
                if (row[i] == '\n') {
                    lines.add(new Line(start + lineStart, line.toByteArray()));
                    line.reset();
                    lineStart = i + 1;
                } else {
                    line.write(row[i]);
                }
            }
            if (lineStart < row.length) {
                lines.add(new Line(start + lineStart, line.toByteArray()));
            }
            start += row.length;
        }
        return lines;
    }

    /**
     * @param start where its first byte is among the batch's
     */
    record Line(int start, byte[] bytes) {}
}
