package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.TextColumns;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The host columns of a result while they are filled: one piece of memory, laid out as on the device. The
 * caller closes them, in any case.
 */
final class OutputColumns implements AutoCloseable {

    private final BufferAllocator allocator;
    private final int rows;
    private final int rules;
    private final int separatorBytes;
    private final long capacityBytes;
    private final OutputLayout layout;
    private final ArrowBuf memory;
    private long dataBytes;

    /**
     * @param rules how many rules the header has room for
     * @param capacityBytes room for the text, which is as long as that unless {@link #setDataBytes} is
     *     called
     */
    OutputColumns(
            BufferAllocator allocator,
            int rows,
            int rules,
            int separatorBytes,
            long capacityBytes) {
        this.allocator = allocator;
        this.rows = rows;
        this.rules = rules;
        this.separatorBytes = separatorBytes;
        this.capacityBytes = capacityBytes;
        dataBytes = capacityBytes;
        layout = OutputLayout.of(rows, rules);
        memory = allocator.buffer(copyBytes(Math.max(1, capacityBytes)));
    }

    /** Columns of as many rows, with room for so much text; the caller closes them as well. */
    OutputColumns another(long capacityOfText) {
        return new OutputColumns(allocator, rows, rules, separatorBytes, capacityOfText);
    }

    /** Fails if the offsets of a column cannot reach so far; two halves of the batch may do. */
    static void checkSize(long outputBytes) throws DeviceOutOfMemoryException {
        if (outputBytes > RedactAbi.MAX_OUTPUT_BYTES) {
            throw new DeviceOutOfMemoryException(
                    "a redacted batch has at most 2147483647 bytes: outputBytes="
                            + outputBytes
                            + "; make the batches smaller or the labels shorter");
        }
    }

    /** How much a copy from the header on has that brings so many bytes of text. */
    long copyBytes(long textBytes) {
        return layout.data() + textBytes;
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

    /** Room for the batch's header, and where a copy of all starts. */
    long headerAddress() {
        return memory.memoryAddress();
    }

    /** Where the number of the batch is, beside the header. */
    long numberAddress() {
        return headerAddress() + layout.number();
    }

    /** Room for the list of the first rows left to the host. */
    long nearRowsAddress() {
        return headerAddress() + layout.nearRows();
    }

    long changedAddress() {
        return headerAddress() + layout.changed();
    }

    long offsetsAddress() {
        return headerAddress() + layout.offsets();
    }

    long dataAddress() {
        return headerAddress() + layout.data();
    }

    /** Checks offsets that came from a device. */
    void checkOffsets() throws FatalDeviceException {
        ResultCheck.requireOffsets(
                "redacted rows", offsetsAddress(), rows, separatorBytes, dataBytes);
    }

    int offset(int row) {
        return MemoryUtil.getInt(offsetsAddress() + 4L * row);
    }

    void putOffset(int row, int offset) {
        MemoryUtil.putInt(offsetsAddress() + 4L * row, offset);
    }

    /** The result, which holds on to the columns by itself; its receiver closes it. */
    RedactedBatch toBatch(long[] matchesPerRule, long deviceNanos) {
        ArrowBuf offsets = memory.slice(layout.offsets(), 4 * (rows + 1L));
        ArrowBuf data = memory.slice(layout.data(), dataBytes);
        RedactedBatch batch =
                new RedactedBatch(
                        TextColumns.of(allocator, rows, offsets, data, separatorBytes),
                        memory.slice(layout.changed(), Math.max(1, rows)),
                        matchesPerRule,
                        deviceNanos);
        memory.getReferenceManager().retain();
        return batch;
    }

    /** The result as one row that holds lines, like {@link #toBatch}; where the lines are is forgotten. */
    RedactedBatch toLines(int lines, long[] matchesPerRule, long deviceNanos) {
        putOffset(0, 0);
        putOffset(1, (int) dataBytes);
        ArrowBuf offsets = memory.slice(layout.offsets(), 4 * 2);
        ArrowBuf data = memory.slice(layout.data(), dataBytes);
        return RedactedBatch.ofLines(
                TextColumns.of(allocator, 1, offsets, data, 0), lines, matchesPerRule, deviceNanos);
    }

    @Override
    public void close() {
        memory.close();
    }
}
