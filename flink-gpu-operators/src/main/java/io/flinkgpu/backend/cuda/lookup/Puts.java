package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Writes to places all over the device's memory: collected in host memory, copied at once, and put where they belong
 * by a kernel. No two writes between two {@link #flush} go to the same place.
 */
final class Puts implements AutoCloseable {

    private static final int COPIES = 4096;
    private static final int LEAST_DATA_BYTES = 512 << 10;
    private static final long COPY_BYTES = (long) COPIES * LookupAbi.LOOKUP_COPY_BYTES;
    private static final int ALIGNMENT = 16;

    /** What a warp copies at most, so that many share a large copy. */
    private static final long PIECE_BYTES = 64 << 10;

    private final LookupQueue queue;
    private final LookupQueue.Room room;
    private final CloseStack resources = new CloseStack();
    private final ArrowBuf args;
    private final ArrowBuf buffer;
    private final long dataBytes;
    private int copies;
    private long used;

    /**
     * @param queue stays the caller's
     * @param mostBytes of a write
     */
    Puts(LookupQueue queue, BufferAllocator allocator, int mostBytes) {
        this.queue = queue;
        dataBytes = Math.max(LEAST_DATA_BYTES, 2L * mostBytes);
        room = queue.newRoom();
        try {
            args = resources.push(allocator.buffer(LookupAbi.LOOKUP_PUT_ARGS_BYTES));
            buffer = resources.push(allocator.buffer(COPY_BYTES + dataBytes));
        } catch (RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /**
     * Where to write what goes to an address of the device, before the next call.
     *
     * @param bytes a multiple of 4
     */
    long put(long address, int bytes) throws BackendException {
        if (copies == COPIES || used + bytes > dataBytes) {
            flush();
        }
        if (copies == 0) {
            room.reserve(COPY_BYTES + dataBytes);
        }
        long offset = COPY_BYTES + used;
        add(address, room.address() + offset, bytes);
        used = used + bytes + ALIGNMENT - 1 & -ALIGNMENT;
        return buffer.memoryAddress() + offset;
    }

    /** Has an int written. */
    void putInt(long address, int value) throws BackendException {
        MemoryUtil.putInt(put(address, Integer.BYTES), value);
    }

    /**
     * Has memory copied from one address of the device to another.
     *
     * @param bytes a multiple of 4
     */
    void copy(long address, long from, long bytes) throws BackendException {
        for (long at = 0; at < bytes; at += PIECE_BYTES) {
            if (copies == COPIES) {
                flush();
            }
            if (copies == 0) {
                room.reserve(COPY_BYTES + dataBytes);
            }
            add(address + at, from + at, Math.min(PIECE_BYTES, bytes - at));
        }
    }

    private void add(long to, long from, long bytes) {
        long copy = buffer.memoryAddress() + (long) copies * LookupAbi.LOOKUP_COPY_BYTES;
        MemoryUtil.putLong(copy + LookupAbi.LOOKUP_COPY_TO, to);
        MemoryUtil.putLong(copy + LookupAbi.LOOKUP_COPY_FROM, from);
        MemoryUtil.putLong(copy + LookupAbi.LOOKUP_COPY_WORDS, bytes / Integer.BYTES);
        copies++;
    }

    /** Has all of it written, and waits. */
    void flush() throws BackendException {
        if (copies == 0) {
            return;
        }
        long host = buffer.memoryAddress();
        queue.copyToDevice(room.address(), host, (long) copies * LookupAbi.LOOKUP_COPY_BYTES);
        queue.copyToDevice(room.address() + COPY_BYTES, host + COPY_BYTES, used);
        MemoryUtil.putLong(args.memoryAddress() + LookupAbi.LOOKUP_PUT_ARGS_COPIES, room.address());
        MemoryUtil.putLong(args.memoryAddress() + LookupAbi.LOOKUP_PUT_ARGS_COUNT, copies);
        int warps = LookupAbi.LOOKUP_THREADS / 32;
        queue.launch(
                LookupKernel.PUT,
                LaunchConfig.of(copies, warps, LookupAbi.LOOKUP_THREADS),
                args.memoryAddress());
        queue.await();
        copies = 0;
        used = 0;
    }

    /** Copies a large piece of host memory, whatever it is, and waits. */
    void upload(long address, long host, long bytes) throws BackendException {
        upload(
                address,
                bytes,
                1,
                (at, target, some) -> MemoryUtil.copyMemory(host + at, target, some));
    }

    /** Where some of what is uploaded comes from. */
    @FunctionalInterface
    interface Source {

        /**
         * Copies bytes.
         *
         * @param at bytes before them
         */
        void read(long at, long target, long bytes);
    }

    /**
     * Copies a large piece, and waits.
     *
     * @param unit bytes of which always a multiple is read
     */
    void upload(long address, long bytes, int unit, Source source) throws BackendException {
        flush();
        long most = dataBytes / unit * unit;
        for (long at = 0; at < bytes; at += most) {
            long some = Math.min(most, bytes - at);
            long data = buffer.memoryAddress() + COPY_BYTES;
            source.read(at, data, some);
            queue.copyToDevice(address + at, data, some);
            queue.await();
        }
    }

    /** Zeroes device memory. */
    void zero(long address, long bytes) throws BackendException {
        queue.zero(address, bytes);
    }

    @Override
    public void close() {
        resources.close();
    }
}
