package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.Vectors;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The host columns of a result while they are filled. The caller closes them, in any case. */
final class TransformOutput implements AutoCloseable {

    private final BufferAllocator allocator;
    private final int rows;
    private final int separatorBytes;
    private final List<Column> columns = new ArrayList<>();

    TransformOutput(BufferAllocator allocator, int rows, int separatorBytes) {
        this.allocator = allocator;
        this.rows = rows;
        this.separatorBytes = separatorBytes;
    }

    /**
     * Makes room for a column.
     *
     * @param textBytes of all rows; 0 if it is no text
     */
    Column add(ColumnType type, int nulls, long textBytes) {
        Column column = new Column(type, nulls);
        columns.add(column);
        long dataBytes = type == ColumnType.TEXT ? textBytes : TransformInput.dataBytes(type, rows);
        column.data = buffer(dataBytes);
        column.offsets = type == ColumnType.TEXT ? buffer(4 * (rows + 1L)) : null;
        // Arrow makes the bitmap of a column without nulls itself.
        column.validity = nulls == 0 ? null : buffer(TransformInput.bitmapBytes(rows));
        return column;
    }

    private ArrowBuf buffer(long bytes) {
        ArrowBuf buffer = allocator.buffer(Math.max(1, bytes));
        buffer.writerIndex(bytes);
        return buffer;
    }

    /** The result, which holds on to the columns by itself; its receiver closes it. */
    TransformedBatch toBatch(long deviceNanos) {
        List<FieldVector> vectors = new ArrayList<>();
        try {
            for (Column column : columns) {
                vectors.add(
                        Vectors.of(
                                column.type,
                                "f" + vectors.size(),
                                allocator,
                                rows,
                                column.nulls,
                                column.buffers()));
            }
        } catch (RuntimeException | Error e) {
            Vectors.close(vectors);
            throw e;
        }
        return new TransformedBatch(Vectors.batch(vectors, rows, separatorBytes), deviceNanos);
    }

    @Override
    public void close() {
        for (Column column : columns) {
            for (ArrowBuf buffer : new ArrowBuf[] {column.validity, column.offsets, column.data}) {
                if (buffer != null) {
                    buffer.close();
                }
            }
        }
        columns.clear();
    }

    /** The buffers of a column; offsets only of a text, validity only if a row is null. */
    static final class Column {
        private final ColumnType type;
        private final int nulls;
        private ArrowBuf data;
        private ArrowBuf offsets;
        private ArrowBuf validity;

        private Column(ColumnType type, int nulls) {
            this.type = type;
            this.nulls = nulls;
        }

        private List<ArrowBuf> buffers() {
            return offsets == null
                    ? Arrays.asList(validity, data)
                    : Arrays.asList(validity, offsets, data);
        }

        ArrowBuf data() {
            return data;
        }

        ArrowBuf offsets() {
            return offsets;
        }

        ArrowBuf validity() {
            return validity;
        }
    }
}
