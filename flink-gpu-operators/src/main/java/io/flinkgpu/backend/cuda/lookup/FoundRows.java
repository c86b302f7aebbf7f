package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.backend.plan.LookupColumns;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.List;

/**
 * What a batch found, on its way to columns. How many values it has is known on the device only, so as many as the
 * last batch makes likely are copied with it, and only what is more has to be waited for once more.
 */
final class FoundRows implements AutoCloseable {

    private final LookupQueue queue;
    private final BufferAllocator allocator;

    private CloseStack buffers = new CloseStack();
    private LookupInput input;
    private ArrowBuf values;
    private ArrowBuf ends;
    private ArrowBuf offsets;
    private long copied;

    /** Of the last batch: values, and ids and bags. */
    private long lastValues;

    private long lastItems;

    /** Where a batch's results are on the device. */
    record Places(long values, long ends, long offsets) {}

    FoundRows(LookupQueue queue, BufferAllocator allocator) {
        this.queue = queue;
        this.allocator = allocator;
    }

    /** How many values a batch has if it is like the last one. */
    private long likely(long items) {
        return lastItems == 0 ? 0 : (lastValues * items + lastItems - 1) / lastItems;
    }

    private static long items(LookupInput of) {
        return (long) of.bagCount() + of.idCount();
    }

    /**
     * Enqueues copies, once what is copied is enqueued.
     *
     * @param room of values at their place
     */
    void start(LookupInput newInput, Places places, long room) throws BackendException {
        // A batch that failed has left its own.
        buffers.close();
        buffers = new CloseStack();
        input = newInput;
        ends = buffer((long) Integer.BYTES * input.bagCount());
        offsets = buffer(offsetBytes());
        copyEnds(places);
        copyValues(places, Math.min(room, likely(items(input))));
    }

    private long offsetBytes() {
        return Integer.BYTES * (input.rows() + 1L);
    }

    private ArrowBuf buffer(long bytes) {
        return buffers.push(allocator.buffer(Math.max(1, bytes)));
    }

    private void copyEnds(Places places) throws BackendException {
        queue.copyToHost(
                ends.memoryAddress(), places.ends(), (long) Integer.BYTES * input.bagCount());
        queue.copyToHost(offsets.memoryAddress(), places.offsets(), offsetBytes());
    }

    private void copyValues(Places places, long count) throws BackendException {
        values = buffer(Float.BYTES * count);
        queue.copyToHost(values.memoryAddress(), places.values(), Float.BYTES * count);
        copied = count;
    }

    /** Whether more values were found than are copied. */
    boolean isShort(long count) {
        return count > copied;
    }

    /** Enqueues copies of all values, in place of those before; of the rest as well if it was written again. */
    void copyAgain(Places places, long count, boolean isRewritten) throws BackendException {
        copyValues(places, count);
        if (isRewritten) {
            copyEnds(places);
        }
    }

    /**
     * The columns, once all copies are done.
     *
     * @param columns takes over the memory that the result has holds of its own on
     */
    ColumnBatch build(CloseStack columns, int count) throws BackendException {
        lastValues = count;
        lastItems = items(input);
        CloseStack taken = buffers;
        buffers = new CloseStack();
        columns.push(taken::close);
        int rows = input.rows();
        ArrowBuf endOffsets = columns.push(allocator.buffer(offsetBytes()));
        int firstBag = MemoryUtil.getInt(input.bagOffsets());
        for (long at = 0; at < offsetBytes(); at += Integer.BYTES) {
            MemoryUtil.putInt(
                    endOffsets.memoryAddress() + at,
                    MemoryUtil.getInt(input.bagOffsets() + at) - firstBag);
        }
        ResultCheck.requireOffsets("requests", offsets.memoryAddress(), rows, 0, count);
        return LookupColumns.of(
                allocator,
                rows,
                List.of(offsets, values),
                count,
                List.of(endOffsets, ends),
                input.bagCount());
    }

    @Override
    public void close() {
        buffers.close();
    }
}
