package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.cuda.dense.DenseKernel;
import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayList;
import java.util.List;

/** A queue whose device memory is the host's, full of other words before it is used. Kernels do nothing. */
final class HostQueue implements LookupQueue, LookupMemory, AutoCloseable {

    private final BufferAllocator allocator;
    private final long word;
    private final List<HostRoom> rooms = new ArrayList<>();

    /**
     * @param word of which new memory is full
     */
    HostQueue(BufferAllocator allocator, long word) {
        this.allocator = allocator;
        this.word = word;
    }

    /** The rooms in the order in which they were made. */
    HostRoom room(int number) {
        return rooms.get(number);
    }

    /** As large as it has to be, or more. */
    final class HostRoom implements Room {

        private boolean failsNext;
        private ArrowBuf memory;

        /** Has the next call that needs more memory fail. */
        void failNext() {
            failsNext = true;
        }

        /** As memory that was only lent is. */
        void giveBack() {
            if (memory != null) {
                memory.close();
                memory = null;
            }
        }

        @Override
        public boolean reserve(long bytes) throws BackendException {
            if (memory != null && bytes <= memory.capacity()) {
                return false;
            }
            giveBack();
            if (failsNext) {
                failsNext = false;
                throw new DeviceOutOfMemoryException("none");
            }
            memory = filled(bytes);
            return true;
        }

        @Override
        public long address() {
            return memory == null ? 0 : memory.memoryAddress();
        }
    }

    private ArrowBuf filled(long bytes) {
        ArrowBuf buffer = allocator.buffer(Math.max(Long.BYTES, bytes));
        for (long at = 0; at + Long.BYTES <= buffer.capacity(); at += Long.BYTES) {
            buffer.setLong(at, word);
        }
        return buffer;
    }

    @Override
    public Room newRoom() {
        rooms.add(new HostRoom());
        return rooms.get(rooms.size() - 1);
    }

    @Override
    public Piece take(long bytes) {
        ArrowBuf buffer = filled(bytes);
        return new Piece() {
            @Override
            public long address() {
                return buffer.memoryAddress();
            }

            @Override
            public void close() {
                buffer.close();
            }
        };
    }

    @Override
    public Piece takeSpare(long bytes) {
        return take(bytes);
    }

    @Override
    public long translatedBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public HostPiece takeHost(long bytes) {
        throw new UnsupportedOperationException("no vector is on the host: bytes=" + bytes);
    }

    @Override
    public void zero(long address, long bytes) {
        MemoryUtil.setMemory(address, bytes, (byte) 0);
    }

    @Override
    public void copyToDevice(long address, long hostAddress, long bytes) {
        MemoryUtil.copyMemory(hostAddress, address, bytes);
    }

    @Override
    public void copyToHost(long hostAddress, long address, long bytes) {
        MemoryUtil.copyMemory(address, hostAddress, bytes);
    }

    @Override
    public void launch(LookupKernel kernel, LaunchConfig shape, long args) {}

    @Override
    public void launch(DenseKernel kernel, LaunchConfig shape, long args) {}

    @Override
    public void startKernels() {}

    @Override
    public void endKernels() {}

    @Override
    public void putNumber(long address) {}

    @Override
    public void checkNumber(long hostAddress) {}

    @Override
    public void await() {}

    @Override
    public void close() {
        rooms.forEach(HostRoom::giveBack);
    }
}
