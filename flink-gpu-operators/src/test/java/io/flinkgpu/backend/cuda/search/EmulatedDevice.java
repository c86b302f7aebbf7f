package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.EmulatedProcess;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.ResultCheck;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/** A process that runs the search kernels' source, and has the memory that they work on. */
final class EmulatedDevice implements AutoCloseable {

    private static final int TAKE = 0;
    private static final int GIVE_BACK = 1;
    private static final int WRITE = 2;
    private static final int READ = 3;
    private static final int ZERO = 4;
    private static final int LAUNCH = 5;

    private final EmulatedProcess process;
    private boolean answersAreLate;

    EmulatedDevice() throws IOException {
        process = new EmulatedProcess("search");
    }

    /** From now on each result has the number of the batch before. */
    void answerLate() {
        answersAreLate = true;
    }

    private long take(long bytes) {
        process.send(TAKE, bytes, 0);
        byte[] address = new byte[Long.BYTES];
        process.receive(address);
        return ByteBuffer.wrap(address).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    private void giveBack(long address) {
        process.send(GIVE_BACK, address, 0);
    }

    /** Another one. */
    Queue queue() {
        return new Queue();
    }

    /** Memory in pieces of their own, so that the sanitizer sees where each ends. */
    Memory memory(long limitBytes) {
        return new Memory(limitBytes);
    }

    @Override
    public void close() {
        process.close();
    }

    final class Memory implements SearchMemory, AutoCloseable {

        private final long limitBytes;
        private final Map<Long, Long> taken = new HashMap<>();
        private long takenBytes;

        private Memory(long limitBytes) {
            this.limitBytes = limitBytes;
        }

        @Override
        public long take(long bytes) {
            if (takenBytes + bytes > limitBytes) {
                return NONE;
            }
            long address = EmulatedDevice.this.take(bytes);
            taken.put(address, bytes);
            takenBytes += bytes;
            return address;
        }

        @Override
        public void giveBack(long address) {
            takenBytes -= taken.remove(address);
            EmulatedDevice.this.giveBack(address);
        }

        @Override
        public long takenBytes() {
            return takenBytes;
        }

        @Override
        public void close() {
            taken.keySet().forEach(EmulatedDevice.this::giveBack);
        }
    }

    final class Queue implements SearchQueue, AutoCloseable {

        private long workspace;
        private int number;

        @Override
        public long workspace(long bytes) {
            // Each time a piece of its own: the sanitizer then sees where it ends.
            close();
            workspace = take(bytes);
            return workspace;
        }

        @Override
        public void zero(long address, long bytes) {
            process.send(ZERO, address, bytes);
        }

        @Override
        public void copyToDevice(long address, long hostAddress, long bytes) {
            process.send(WRITE, address, bytes);
            byte[] copy = new byte[(int) bytes];
            MemoryUtil.copyFromMemory(hostAddress, copy, 0, copy.length);
            process.send(copy);
        }

        @Override
        public void copyToHost(long hostAddress, long address, long bytes) {
            process.send(READ, address, bytes);
            byte[] copy = new byte[(int) bytes];
            process.receive(copy);
            MemoryUtil.copyToMemory(copy, 0, hostAddress, copy.length);
        }

        @Override
        public void launch(SearchKernel kernel, LaunchConfig shape, long args) {
            byte[] struct =
                    new byte
                            [switch (kernel) {
                                case INDEX, ARRANGE -> SearchAbi.SEARCH_INDEX_ARGS_BYTES;
                                case DIE -> SearchAbi.SEARCH_DIE_ARGS_BYTES;
                                default -> SearchAbi.SEARCH_ARGS_BYTES;
                            }];
            MemoryUtil.copyFromMemory(args, struct, 0, struct.length);
            process.send(
                    LAUNCH, kernel.ordinal(), shape.blocks(), shape.sharedBytes(), struct.length);
            process.send(struct);
        }

        @Override
        public void markNumber(long address) {
            number++;
            process.send(WRITE, address, Integer.BYTES);
            process.send(
                    ByteBuffer.allocate(Integer.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(answersAreLate ? number - 1 : number)
                            .array());
        }

        @Override
        public void requireNumber(long hostAddress) throws BackendException {
            ResultCheck.requireNumber(number, MemoryUtil.getInt(hostAddress));
        }

        @Override
        public void await() {}

        @Override
        public void close() {
            if (workspace != 0) {
                giveBack(workspace);
                workspace = 0;
            }
        }
    }
}
