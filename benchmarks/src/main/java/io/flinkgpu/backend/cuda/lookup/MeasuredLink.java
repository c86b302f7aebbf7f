package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.device.AllocatedMemory;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.MappedMemory;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.SplittableRandom;

/** How fast a GPU gets vectors from host memory: read by a kernel, and copied. One thread's. */
public final class MeasuredLink implements AutoCloseable {

    private static final long LINE = LookupAbi.LOOKUP_LINE_BYTES;

    private final CloseStack resources = new CloseStack();
    private final CudaBackend backend;
    private final LookupSlot slot;
    private final LookupQueue.Room header;
    private final LookupQueue.Room sources;
    private final LookupQueue.Room lines;
    private final LookupQueue.Room pageCounts;
    private final LookupQueue.Room orderedLines;

    /**
     * @param backend stays the caller's
     */
    public MeasuredLink(CudaBackend backend) throws BackendException {
        this.backend = backend;
        backend.device().makeCurrent();
        slot = resources.push(new LookupSlot(backend.device(), backend.memory()));
        header = slot.newRoom();
        sources = slot.newRoom();
        lines = slot.newRoom();
        pageCounts = slot.newRoom();
        orderedLines = slot.newRoom();
    }

    /** Copies memory of the backend's allocator to the device, and waits. */
    public void copy(long address, long bytes) throws BackendException {
        lines.reserve(bytes);
        slot.copyToDevice(lines.address(), address, bytes);
        slot.await();
    }

    /** Nanoseconds of copying so many bytes from memory that was used before. */
    public long copyNanos(long bytes) throws BackendException {
        try (ArrowBuf from = backend.allocator().buffer(bytes)) {
            copy(from.memoryAddress(), bytes);
            slot.startKernels();
            slot.copyToDevice(lines.address(), from.memoryAddress(), bytes);
            slot.endKernels();
            slot.await();
            return slot.kernelNanos();
        }
    }

    /**
     * Nanoseconds of reading vectors from random places of registered memory, as tables have it.
     *
     * @param stride of a vector: 32, 64 or 128 bytes
     * @param spaceBytes that the places are in
     */
    public long gatherNanos(int count, int stride, long spaceBytes) throws BackendException {
        try (MappedMemory host = new MappedMemory(spaceBytes)) {
            return gatherNanos(host.deviceAddress(), count, stride, spaceBytes, false);
        }
    }

    /** The same, and of putting them into the order of their pages first. */
    public long gatherOrderedNanos(int count, int stride, long spaceBytes) throws BackendException {
        try (MappedMemory host = new MappedMemory(spaceBytes)) {
            return gatherNanos(host.deviceAddress(), count, stride, spaceBytes, true);
        }
    }

    /** The same from memory that the driver allocates. */
    public long gatherAllocatedNanos(int count, int stride, long spaceBytes)
            throws BackendException {
        try (AllocatedMemory host = new AllocatedMemory(spaceBytes)) {
            return gatherNanos(host.deviceAddress(), count, stride, spaceBytes, false);
        }
    }

    private long gatherNanos(long host, int count, int stride, long spaceBytes, boolean isOrdered)
            throws BackendException {
        long countBytes = (long) Integer.BYTES * LookupAbi.LOOKUP_PAGES;
        try (ArrowBuf list = backend.allocator().buffer((long) Long.BYTES * count);
                ArrowBuf pages = backend.allocator().buffer(countBytes);
                ArrowBuf struct = backend.allocator().buffer(LookupAbi.LOOKUP_ARGS_BYTES);
                ArrowBuf head = backend.allocator().buffer(LookupAbi.LOOKUP_HEADER_BYTES)) {
            pages.setZero(0, countBytes);
            SplittableRandom random = new SplittableRandom(1);
            long packs = stride / LookupAbi.LOOKUP_LEAST_STRIDE - 1;
            for (int i = 0; i < count; i++) {
                long place = random.nextLong(spaceBytes / stride) * stride;
                list.setLong((long) Long.BYTES * i, host + place | packs);
                long page = host + place >>> LookupAbi.LOOKUP_PAGE_BITS;
                long counter = Integer.BYTES * (page & LookupAbi.LOOKUP_PAGES - 1);
                pages.setInt(counter, pages.getInt(counter) + 1);
            }
            MemoryUtil.setMemory(head.memoryAddress(), LookupAbi.LOOKUP_HEADER_BYTES, (byte) 0);
            head.setInt(LookupAbi.LOOKUP_HEADER_LINES, count);
            header.reserve(LookupAbi.LOOKUP_HEADER_BYTES);
            sources.reserve((long) Long.BYTES * count);
            lines.reserve(LINE * count);
            slot.copyToDevice(
                    header.address(), head.memoryAddress(), LookupAbi.LOOKUP_HEADER_BYTES);
            slot.copyToDevice(sources.address(), list.memoryAddress(), (long) Long.BYTES * count);
            int blocks = backend.device().properties().multiprocessors();
            MemoryUtil.setMemory(struct.memoryAddress(), LookupAbi.LOOKUP_ARGS_BYTES, (byte) 0);
            struct.setLong(LookupAbi.LOOKUP_ARGS_HEADER, header.address());
            struct.setLong(LookupAbi.LOOKUP_ARGS_LINE_SOURCES, sources.address());
            struct.setLong(LookupAbi.LOOKUP_ARGS_LINES, lines.address());
            struct.setInt(
                    LookupAbi.LOOKUP_ARGS_WARPS, blocks * LookupAbi.LOOKUP_THREADS / Integer.SIZE);
            if (isOrdered) {
                pageCounts.reserve(2 * countBytes);
                orderedLines.reserve((long) LookupAbi.LOOKUP_HOST_LINE_BYTES * count);
                slot.copyToDevice(pageCounts.address(), pages.memoryAddress(), countBytes);
                struct.setLong(LookupAbi.LOOKUP_ARGS_PAGE_COUNTS, pageCounts.address());
                struct.setLong(LookupAbi.LOOKUP_ARGS_ORDERED_LINES, orderedLines.address());
            }
            LaunchConfig shape = new LaunchConfig(blocks, LookupAbi.LOOKUP_THREADS);
            long nanos = 0;
            // The second one is measured.
            for (int i = 0; i < 2; i++) {
                if (isOrdered) {
                    slot.zero(pageCounts.address() + countBytes, countBytes);
                }
                slot.startKernels();
                if (isOrdered) {
                    slot.launch(LookupKernel.ORDER, shape, struct.memoryAddress());
                }
                slot.launch(LookupKernel.GATHER, shape, struct.memoryAddress());
                slot.endKernels();
                slot.await();
                nanos = slot.kernelNanos();
            }
            return nanos;
        }
    }

    @Override
    public void close() {
        resources.close();
    }
}
