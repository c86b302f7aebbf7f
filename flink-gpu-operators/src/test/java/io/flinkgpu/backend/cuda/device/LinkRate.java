package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.CudaBackend;

import org.apache.arrow.memory.ArrowBuf;

/**
 * How fast plain copies of pinned memory are, in GB/s: the best of some.
 *
 * @param toDevice from the host
 * @param toHost from the device
 * @param both both ways at once, added
 */
public record LinkRate(double toDevice, double toHost, double both) {

    /** Where there is no GPU. */
    public static final LinkRate NONE = new LinkRate(0, 0, 0);

    private static final long BYTES = 256L << 20;
    private static final int COPIES = 8;

    /** Copies to and fro on this thread. */
    public static LinkRate measure(CudaBackend gpu) throws BackendException {
        CudaMemory memory = gpu.memory();
        try (ArrowBuf in = gpu.allocator().buffer(BYTES);
                ArrowBuf out = gpu.allocator().buffer(BYTES);
                DeviceBuffer device = new DeviceBuffer(memory.device());
                CudaStream up = new CudaStream(memory.pinned(), memory.linkNanos());
                CudaStream down = new CudaStream(memory.pinned(), memory.linkNanos())) {
            device.reserve(2 * BYTES);
            double[] best = new double[3];
            for (int i = 0; i < COPIES; i++) {
                for (int way = 0; way < best.length; way++) {
                    long start = System.nanoTime();
                    if (way != 1) {
                        up.copyToDevice(device.address(), in.memoryAddress(), BYTES);
                    }
                    if (way != 0) {
                        down.copyToHost(out.memoryAddress(), device.address() + BYTES, BYTES);
                    }
                    up.drain();
                    down.drain();
                    double bytes = way == 2 ? 2 * BYTES : BYTES;
                    best[way] = Math.max(best[way], bytes / (System.nanoTime() - start));
                }
            }
            return new LinkRate(best[0], best[1], best[2]);
        }
    }
}
