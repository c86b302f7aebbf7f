package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.embeddings.Workers;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;

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

    /** Of a large piece, so much is copied while as much is read. */
    private static final long HALF_BYTES = 8L << 20;

    /** What a thread reads of it before it takes the next. */
    private static final long PART_BYTES = 256 << 10;

    private final LookupQueue queue;
    private final BufferAllocator allocator;
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
        this.allocator = allocator;
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
    void upload(long address, long host, long bytes, Workers workers) throws BackendException {
        upload(
                address,
                bytes,
                1,
                (at, target, some) -> MemoryUtil.copyMemory(host + at, target, some),
                workers);
    }

    /** Where some of what is uploaded comes from. */
    @FunctionalInterface
    interface Source {

        /**
         * Copies bytes. Any thread's.
         *
         * @param at bytes before them
         */
        void read(long at, long target, long bytes) throws IOException;
    }

    /**
     * Copies a large piece, and waits. One half of some memory is copied to the device while the other is read.
     *
     * @param unit bytes of which always a multiple is read
     * @param workers read it
     * @throws BackendException also if it cannot be read
     */
    void upload(long address, long bytes, int unit, Source source, Workers workers)
            throws BackendException {
        flush();
        ArrowBuf large = bytes > dataBytes ? largeBuffer(Math.min(HALF_BYTES, bytes), unit) : null;
        try {
            long halves =
                    large == null ? buffer.memoryAddress() + COPY_BYTES : large.memoryAddress();
            long most = (large == null ? dataBytes / 2 : large.capacity() / 2) / unit * unit;
            boolean isSecond = false;
            for (long at = 0; at < bytes; at += most, isSecond = !isSecond) {
                long some = Math.min(most, bytes - at);
                long half = isSecond ? halves + most : halves;
                read(source, at, half, some, unit, workers);
                // The other half is free after this.
                queue.await();
                queue.copyToDevice(address + at, half, some);
            }
        } catch (IOException e) {
            throw new BackendException(e.getMessage(), e);
        } finally {
            try {
                queue.await();
            } finally {
                if (large != null) {
                    large.close();
                }
            }
        }
    }

    /** Null if there is no room for it. */
    private ArrowBuf largeBuffer(long half, int unit) {
        try {
            return allocator.buffer(2 * Math.max(half, unit));
        } catch (OutOfMemoryException e) {
            return null;
        }
    }

    private static void read(
            Source source, long at, long target, long bytes, int unit, Workers workers)
            throws IOException {
        long most = Math.max(unit, PART_BYTES / unit * unit);
        workers.run(
                (int) ((bytes + most - 1) / most),
                part -> {
                    long done = part * most;
                    source.read(at + done, target + done, Math.min(most, bytes - done));
                });
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
