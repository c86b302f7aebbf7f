package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.EmulatedKernels;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.ResultCheck;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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

    private final Process process;
    private final OutputStream commands;
    private final DataInputStream answers;
    private boolean answersAreLate;

    EmulatedDevice() throws IOException {
        process =
                new ProcessBuilder(EmulatedKernels.program("search").toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        commands = new BufferedOutputStream(process.getOutputStream());
        answers = new DataInputStream(process.getInputStream());
    }

    /** From now on each result has the number of the batch before. */
    void answerLate() {
        answersAreLate = true;
    }

    private void command(long... words) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Long.BYTES * words.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(words);
        send(bytes.array());
    }

    private void send(byte[] bytes) {
        try {
            commands.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("the emulation failed, see its message", e);
        }
    }

    private byte[] answer(int bytes) {
        try {
            commands.flush();
            byte[] answer = new byte[bytes];
            answers.readFully(answer);
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException("the emulation failed, see its message", e);
        }
    }

    private long take(long bytes) {
        command(TAKE, bytes, 0);
        return ByteBuffer.wrap(answer(Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    private void giveBack(long address) {
        command(GIVE_BACK, address, 0);
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
        try {
            commands.close();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("the emulation failed, see its message");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
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
            command(ZERO, address, bytes);
        }

        @Override
        public void copyToDevice(long address, long hostAddress, long bytes) {
            command(WRITE, address, bytes);
            byte[] copy = new byte[(int) bytes];
            MemoryUtil.copyFromMemory(hostAddress, copy, 0, copy.length);
            send(copy);
        }

        @Override
        public void copyToHost(long hostAddress, long address, long bytes) {
            command(READ, address, bytes);
            byte[] copy = answer((int) bytes);
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
            command(LAUNCH, kernel.ordinal(), shape.blocks(), shape.sharedBytes(), struct.length);
            send(struct);
        }

        @Override
        public void markNumber(long address) {
            number++;
            command(WRITE, address, Integer.BYTES);
            send(
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
