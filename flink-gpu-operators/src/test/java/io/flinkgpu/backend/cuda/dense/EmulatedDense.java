package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.EmulatedMemory;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;

/**
 * Networks by the kernels' own source, compiled for the CPU with sanitizers, and with the CUDA backend's layouts
 * and structs.
 */
public final class EmulatedDense implements AutoCloseable {

    private static final int CAPABILITY = 90;

    private final BufferAllocator allocator = new RootAllocator();
    private final EmulatedMemory device;

    public EmulatedDense() throws IOException {
        device = new EmulatedMemory("dense");
    }

    /** Runs all rows, in one batch. */
    public float[][] run(DensePlan plan, float[][] rows) throws BackendException {
        return run(plan, CAPABILITY, rows);
    }

    /** The same as on a device of a compute capability, major * 10 + minor. */
    public float[][] run(DensePlan plan, int capability, float[][] rows) throws BackendException {
        DenseWeights weights = new DenseWeights(plan, capability);
        DenseRun run = new DenseRun(weights);
        long weightAddress = upload(weights.toBytes());
        long source = upload(rows, plan.inputWidth());
        long input = device.take(run.inputBytes(rows.length));
        long work = device.take(Math.max(1, run.workBytes(rows.length)));
        long outputBytes = (long) Float.BYTES * rows.length * plan.outputWidth();
        long output = device.take(outputBytes);
        float[][] outputs = new float[rows.length][plan.outputWidth()];
        try (ArrowBuf args = allocator.buffer(DenseRun.ARGS_BYTES);
                ArrowBuf answer = allocator.buffer(outputBytes)) {
            run.enqueue(
                    (kernel, shape, address) ->
                            device.launch(kernel, shape, address, DenseRun.ARGS_BYTES),
                    args.memoryAddress(),
                    rows.length,
                    new DenseRun.Source(source, plan.inputWidth(), 0, 0),
                    new DenseRun.Places(weightAddress, input, work, output));
            device.read(answer.memoryAddress(), output, outputBytes);
            for (int i = 0; i < rows.length * plan.outputWidth(); i++) {
                outputs[i / plan.outputWidth()][i % plan.outputWidth()] =
                        answer.getFloat((long) Float.BYTES * i);
            }
        }
        for (long address : new long[] {weightAddress, source, input, work, output}) {
            device.giveBack(address);
        }
        return outputs;
    }

    private long upload(float[][] rows, int width) {
        try (ArrowBuf copy = allocator.buffer((long) Float.BYTES * rows.length * width)) {
            for (int i = 0; i < rows.length * width; i++) {
                copy.setFloat((long) Float.BYTES * i, rows[i / width][i % width]);
            }
            return upload(copy, (long) Float.BYTES * rows.length * width);
        }
    }

    private long upload(byte[] bytes) {
        try (ArrowBuf copy = allocator.buffer(bytes.length)) {
            copy.setBytes(0, bytes);
            return upload(copy, bytes.length);
        }
    }

    private long upload(ArrowBuf copy, long bytes) {
        long address = device.take(bytes);
        device.write(address, copy.memoryAddress(), bytes);
        return address;
    }

    @Override
    public void close() {
        allocator.close();
        device.close();
    }
}
