package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.EmulatedProcess;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Networks by the kernels' own source, compiled for the CPU with sanitizers, and with the CUDA backend's layouts
 * and structs.
 */
public final class EmulatedDense implements AutoCloseable {

    private static final int TAKE = 0;
    private static final int GIVE_BACK = 1;
    private static final int WRITE = 2;
    private static final int READ = 3;
    private static final int LAUNCH = 4;

    private final BufferAllocator allocator = new RootAllocator();
    private final EmulatedProcess process;

    public EmulatedDense() throws IOException {
        process = new EmulatedProcess("dense");
    }

    /** Runs all rows, in one batch. */
    public float[][] run(DensePlan plan, float[][] rows) throws BackendException {
        DenseWeights weights = new DenseWeights(plan);
        DenseRun run = new DenseRun(plan, weights);
        byte[] weightBytes = weights.toBytes();
        long weightAddress = take(weightBytes.length);
        write(weightAddress, weightBytes);
        long inputAddress = take(run.inputBytes(rows.length));
        for (int row = 0; row < rows.length; row++) {
            long stride = (long) Float.BYTES * DenseWeights.stride(plan.inputWidth());
            write(inputAddress + row * stride, bytes(rows[row]));
        }
        long work = take(run.workBytes(rows.length));
        int outputBytes = Float.BYTES * plan.outputWidth();
        long output = take((long) outputBytes * rows.length);
        try (ArrowBuf args = allocator.buffer(DenseRun.ARGS_BYTES)) {
            run.enqueue(
                    (kernel, shape, address) -> {
                        process.send(LAUNCH, kernel.ordinal(), shape.blocks(), bytes(kernel));
                        byte[] struct = new byte[bytes(kernel)];
                        args.getBytes(0, struct);
                        process.send(struct);
                    },
                    args.memoryAddress(),
                    rows.length,
                    weightAddress,
                    inputAddress,
                    work,
                    output);
        }
        float[][] outputs = new float[rows.length][plan.outputWidth()];
        byte[] answer = new byte[outputBytes];
        for (int row = 0; row < rows.length; row++) {
            process.send(READ, output + (long) outputBytes * row, outputBytes);
            process.receive(answer);
            little(answer).asFloatBuffer().get(outputs[row]);
        }
        for (long address : new long[] {weightAddress, inputAddress, work, output}) {
            process.send(GIVE_BACK, address, 0);
        }
        return outputs;
    }

    private static int bytes(DenseKernel kernel) {
        return switch (kernel) {
            case LINEAR, DOT -> DenseAbi.DENSE_LINEAR_ARGS_BYTES;
            case CROSS -> DenseAbi.DENSE_CROSS_ARGS_BYTES;
            case EACH -> DenseAbi.DENSE_EACH_ARGS_BYTES;
        };
    }

    private long take(long bytes) {
        process.send(TAKE, bytes, 0);
        byte[] address = new byte[Long.BYTES];
        process.receive(address);
        return little(address).getLong();
    }

    private void write(long address, byte[] bytes) {
        process.send(WRITE, address, bytes.length);
        process.send(bytes);
    }

    private static byte[] bytes(float[] values) {
        byte[] bytes = new byte[Float.BYTES * values.length];
        little(bytes).asFloatBuffer().put(values);
        return bytes;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        allocator.close();
        process.close();
    }
}
