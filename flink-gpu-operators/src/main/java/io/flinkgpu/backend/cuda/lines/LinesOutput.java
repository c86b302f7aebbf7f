package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.aggregate.AggregateHeader;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.TextColumns;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** The host's side of a result of lines while it is filled. The caller closes it, in any case. */
final class LinesOutput implements AutoCloseable {

    /** Takes a copy from an offset of the result, or of the list of refused lines, to the host. */
    @FunctionalInterface
    interface Copy {
        void copy(long hostAddress, long offset, long bytes) throws BackendException;
    }

    private final BufferAllocator allocator;
    private final LinePlan plan;
    private final LinesHeader header;
    private final CloseStack buffers = new CloseStack();
    private final ArrowBuf words;
    private final ArrowBuf offsets;
    private final ArrowBuf keys;
    private final ArrowBuf refusedStarts;

    LinesOutput(BufferAllocator allocator, LinePlan plan, LinesHeader header) {
        this.allocator = allocator;
        this.plan = plan;
        this.header = header;
        try {
            words = buffers.push(allocator.buffer(header.wordsBytes(plan)));
            offsets = buffers.push(allocator.buffer(header.offsetsBytes()));
            keys = buffers.push(allocator.buffer(Math.max(1, header.keyBytes())));
            refusedStarts = buffers.push(allocator.buffer(header.refusedBytes()));
        } catch (RuntimeException | Error e) {
            buffers.closeAfter(e);
            throw e;
        }
    }

    /** Copies the result, or starts to. */
    void copyResult(Copy from) throws BackendException {
        if (header.groups() == 0) {
            offsets.setInt(0, 0);
            return;
        }
        long wordsBytes = header.wordsBytes(plan);
        from.copy(words.memoryAddress(), 0, wordsBytes);
        from.copy(offsets.memoryAddress(), wordsBytes, header.offsetsBytes());
        from.copy(keys.memoryAddress(), wordsBytes + header.offsetsBytes(), header.keyBytes());
    }

    /** Copies the words, and where keys start, of a result that has no more, or starts to. */
    void copyWords(Copy from) throws BackendException {
        long wordsBytes = header.wordsBytes(plan);
        from.copy(words.memoryAddress(), 0, wordsBytes);
        from.copy(offsets.memoryAddress(), wordsBytes, header.offsetsBytes() - Integer.BYTES);
    }

    /** Copies the keys of all groups, or starts to, and sets where the last one ends. */
    void copyKeys(Copy from) throws BackendException {
        offsets.setInt((long) Integer.BYTES * header.groups(), (int) header.keyBytes());
        from.copy(keys.memoryAddress(), 0, header.keyBytes());
    }

    /** Copies the starts of the refused lines, or starts to. */
    void copyRefused(Copy from) throws BackendException {
        from.copy(refusedStarts.memoryAddress(), 0, header.refusedBytes());
    }

    /**
     * The result, once all is copied; its receiver closes it.
     *
     * @param dataBytes of the lines, in which those that are refused start
     * @throws FatalDeviceException if keys or lines are where none are
     */
    LineGroups toGroups(long deviceNanos, long copyNanos, int dataBytes)
            throws FatalDeviceException {
        ResultCheck.requireOffsets(
                "keys of groups", offsets.memoryAddress(), header.groups(), 0, header.keyBytes());
        ResultCheck.requireRising(
                "the start of a refused line",
                refusedStarts.memoryAddress(),
                header.refused(),
                dataBytes);
        offsets.writerIndex(header.offsetsBytes());
        keys.writerIndex(header.keyBytes());
        AggregateHeader aggregates = header.aggregates();
        LineGroups groups =
                new LineGroups(
                        new GroupedBatch(
                                plan.aggregates(),
                                aggregates.groups(),
                                words,
                                aggregates.firstBins(),
                                aggregates.bins(),
                                deviceNanos),
                        TextColumns.of(allocator, header.groups(), offsets, keys, 0),
                        refusedStarts,
                        header.refused(),
                        header.lines(),
                        header.maxTimestamp(),
                        copyNanos);
        words.getReferenceManager().retain();
        refusedStarts.getReferenceManager().retain();
        return groups;
    }

    @Override
    public void close() {
        buffers.close();
    }
}
