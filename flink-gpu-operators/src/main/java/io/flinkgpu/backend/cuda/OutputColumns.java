package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.column.TextColumns;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** The host columns of a result while they are filled. The caller closes them, in any case. */
final class OutputColumns implements AutoCloseable {

    private final BufferAllocator allocator;
    private final int rows;
    private final int separatorBytes;
    private final long capacityBytes;
    private long dataBytes;
    private ArrowBuf data;
    private ArrowBuf offsets;
    private ArrowBuf headerAndChanged;

    /**
     * @param capacityBytes room for the text, which is as long as that unless {@link #setDataBytes} is
     *     called
     */
    OutputColumns(BufferAllocator allocator, int rows, int separatorBytes, long capacityBytes) {
        this.allocator = allocator;
        this.rows = rows;
        this.separatorBytes = separatorBytes;
        this.capacityBytes = capacityBytes;
        dataBytes = capacityBytes;
        try {
            data = allocator.buffer(Math.max(1, capacityBytes));
            offsets = allocator.buffer(offsetsBytes());
            headerAndChanged = allocator.buffer(RedactLayout.CHANGED + Math.max(1, rows));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    int rows() {
        return rows;
    }

    int separatorBytes() {
        return separatorBytes;
    }

    long dataBytes() {
        return dataBytes;
    }

    long capacityBytes() {
        return capacityBytes;
    }

    /** Says how long the text is; there is room for it. */
    void setDataBytes(long dataBytes) {
        this.dataBytes = dataBytes;
    }

    long offsetsBytes() {
        return 4 * (rows + 1L);
    }

    long dataAddress() {
        return data.memoryAddress();
    }

    long offsetsAddress() {
        return offsets.memoryAddress();
    }

    /** Room for the batch's header, in front of {@link #changedAddress()} as it is on the device. */
    long headerAddress() {
        return headerAndChanged.memoryAddress();
    }

    long changedAddress() {
        return headerAndChanged.memoryAddress() + RedactLayout.CHANGED;
    }

    int offset(int row) {
        return MemoryUtil.getInt(offsetsAddress() + 4L * row);
    }

    void putOffset(int row, int offset) {
        MemoryUtil.putInt(offsetsAddress() + 4L * row, offset);
    }

    /** The result, which holds on to the columns by itself; its receiver closes it. */
    RedactedBatch toBatch(long[] matchesPerRule, long deviceNanos) {
        data.writerIndex(dataBytes);
        offsets.writerIndex(offsetsBytes());
        RedactedBatch batch =
                new RedactedBatch(
                        TextColumns.of(allocator, rows, offsets, data, separatorBytes),
                        headerAndChanged.slice(RedactLayout.CHANGED, Math.max(1, rows)),
                        matchesPerRule,
                        deviceNanos);
        headerAndChanged.getReferenceManager().retain();
        return batch;
    }

    @Override
    public void close() {
        for (ArrowBuf buffer : new ArrowBuf[] {headerAndChanged, offsets, data}) {
            if (buffer != null) {
                buffer.close();
            }
        }
    }
}
