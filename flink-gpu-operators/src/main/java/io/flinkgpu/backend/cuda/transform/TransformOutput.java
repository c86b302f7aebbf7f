package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.device.ResultCheck;
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
    private final List<ArrowBuf> buffers = new ArrayList<>();

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
        boolean isText = type == ColumnType.TEXT;
        ArrowBuf data = buffer(isText ? textBytes : TransformInput.dataBytes(type, rows));
        ArrowBuf offsets = isText ? buffer(4 * (rows + 1L)) : null;
        // Arrow makes the bitmap of a column without nulls itself.
        ArrowBuf validity = nulls == 0 ? null : buffer(TransformInput.bitmapBytes(rows));
        Column column = new Column(type, nulls, data, offsets, validity);
        columns.add(column);
        return column;
    }

    private ArrowBuf buffer(long bytes) {
        ArrowBuf buffer = allocator.buffer(Math.max(1, bytes));
        buffers.add(buffer);
        buffer.writerIndex(bytes);
        return buffer;
    }

    /**
     * The result, which holds on to the columns by itself; its receiver closes it.
     *
     * @throws FatalDeviceException if the offsets of a text are none
     */
    TransformedBatch toBatch(long deviceNanos) throws FatalDeviceException {
        for (Column column : columns) {
            column.check(rows, separatorBytes);
        }
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
        buffers.forEach(ArrowBuf::close);
        buffers.clear();
    }

    /** The buffers of a column; offsets only of a text, validity only if a row is null. */
    record Column(ColumnType type, int nulls, ArrowBuf data, ArrowBuf offsets, ArrowBuf validity) {

        private void check(int rows, int separatorBytes) throws FatalDeviceException {
            if (offsets != null) {
                ResultCheck.requireOffsets(
                        "a column of texts",
                        offsets.memoryAddress(),
                        rows,
                        separatorBytes,
                        data.writerIndex());
            }
        }

        private List<ArrowBuf> buffers() {
            return offsets == null
                    ? Arrays.asList(validity, data)
                    : Arrays.asList(validity, offsets, data);
        }
    }
}
