package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Host memory on the way to a device, piece by piece. The caller closes it. */
final class Staging implements AutoCloseable {

    /** The most bytes of a piece. */
    static final int MOST_BYTES = 1 << 19;

    /** A change may make what is sent wait for searches, and who waits for that waits for them: so that is rare. */
    private static final int ALL_BYTES = 1 << 22;

    private final SearchQueue queue;
    private final ArrowBuf buffer;

    /** What is not enqueued yet: from one place of the buffer to another, and where it goes. */
    private long from;

    private long to;
    private long address;

    Staging(SearchQueue queue, BufferAllocator allocator) {
        this.queue = queue;
        buffer = allocator.buffer(ALL_BYTES);
    }

    /**
     * Where to write what goes to an address of the device, before the next call.
     *
     * @param bytes at most {@link #MOST_BYTES}
     */
    long room(long deviceAddress, long bytes) throws BackendException {
        if (to + bytes > ALL_BYTES) {
            flush();
        } else if (deviceAddress != address + to - from) {
            send();
        }
        if (from == to) {
            address = deviceAddress;
        }
        long host = buffer.memoryAddress() + to;
        to += bytes;
        return host;
    }

    /** Enqueues the copy of all of it. */
    void send() throws BackendException {
        queue.copyToDevice(address, buffer.memoryAddress() + from, to - from);
        from = to;
    }

    /** Has all of it copied, and waits. */
    void flush() throws BackendException {
        send();
        queue.await();
        from = 0;
        to = 0;
    }

    @Override
    public void close() {
        buffer.close();
    }
}
