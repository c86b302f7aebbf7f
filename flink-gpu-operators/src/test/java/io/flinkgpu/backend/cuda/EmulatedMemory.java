package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.cuda.device.LaunchConfig;

import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A process that runs the kernels' source of a verb, and has the memory that they work on. */
public final class EmulatedMemory implements AutoCloseable {

    private static final int TAKE = 0;
    private static final int GIVE_BACK = 1;
    private static final int WRITE = 2;
    private static final int READ = 3;
    private static final int ZERO = 4;
    private static final int LAUNCH = 5;

    private final EmulatedProcess process;

    public EmulatedMemory(String verb) throws IOException {
        process = new EmulatedProcess(verb);
    }

    /** Takes memory in a piece of its own, so that the sanitizer sees where it ends. */
    public long take(long bytes) {
        process.send(TAKE, bytes, 0);
        byte[] address = new byte[Long.BYTES];
        process.receive(address);
        return ByteBuffer.wrap(address).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    public void giveBack(long address) {
        process.send(GIVE_BACK, address, 0);
    }

    public void zero(long address, long bytes) {
        process.send(ZERO, address, bytes);
    }

    public void write(long address, long hostAddress, long bytes) {
        process.send(WRITE, address, bytes);
        byte[] copy = new byte[(int) bytes];
        MemoryUtil.copyFromMemory(hostAddress, copy, 0, copy.length);
        process.send(copy);
    }

    public void writeInt(long address, int value) {
        process.send(WRITE, address, Integer.BYTES);
        process.send(
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(value)
                        .array());
    }

    public void read(long hostAddress, long address, long bytes) {
        process.send(READ, address, bytes);
        byte[] copy = new byte[(int) bytes];
        process.receive(copy);
        MemoryUtil.copyToMemory(copy, 0, hostAddress, copy.length);
    }

    /**
     * Launches a kernel.
     *
     * @param args host address of its parameter
     */
    public void launch(Enum<?> kernel, LaunchConfig shape, long args, int argsBytes) {
        launch(kernel.ordinal(), shape, args, argsBytes);
    }

    /** The same for a kernel's number. */
    public void launch(int kernel, LaunchConfig shape, long args, int argsBytes) {
        byte[] struct = new byte[argsBytes];
        MemoryUtil.copyFromMemory(args, struct, 0, struct.length);
        process.send(LAUNCH, kernel, shape.blocks(), shape.sharedBytes(), struct.length);
        process.send(struct);
    }

    @Override
    public void close() {
        process.close();
    }
}
