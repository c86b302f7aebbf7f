package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.CudaBackend;

import org.apache.arrow.memory.ArrowBuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
    private static final int WAYS = 3;

    /** Copies to and fro on this thread. */
    public static LinkRate measure(CudaBackend gpu) throws BackendException {
        return best(copy(gpu, () -> {}));
    }

    /** The same of several at once, a thread each, added. */
    public static LinkRate measure(List<CudaBackend> gpus) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(gpus.size());
        try {
            CyclicBarrier together = new CyclicBarrier(gpus.size());
            List<Future<double[]>> copying = new ArrayList<>();
            for (CudaBackend gpu : gpus) {
                copying.add(threads.submit(() -> copy(gpu, () -> await(together))));
            }
            double[] sums = new double[COPIES * WAYS];
            for (Future<double[]> rates : copying) {
                double[] one = rates.get();
                Arrays.setAll(sums, i -> sums[i] + one[i]);
            }
            return best(sums);
        } finally {
            threads.shutdownNow();
        }
    }

    private static LinkRate best(double[] rates) {
        double[] best = new double[WAYS];
        for (int i = 0; i < rates.length; i++) {
            best[i % WAYS] = Math.max(best[i % WAYS], rates[i]);
        }
        return new LinkRate(best[0], best[1], best[2]);
    }

    private static void await(CyclicBarrier together) throws BackendException {
        try {
            together.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new BackendException("another device does not copy", e);
        }
    }

    private interface Start {
        void await() throws BackendException;
    }

    /** Rates of all copies: to the device, to the host, and both ways in turns. */
    private static double[] copy(CudaBackend gpu, Start start) throws BackendException {
        gpu.device().makeCurrent();
        CudaMemory memory = gpu.memory();
        try (ArrowBuf in = gpu.allocator().buffer(BYTES);
                ArrowBuf out = gpu.allocator().buffer(BYTES);
                DeviceBuffer device = new DeviceBuffer(memory.device());
                CudaStream up = new CudaStream(memory.pinned(), memory.linkNanos());
                CudaStream down = new CudaStream(memory.pinned(), memory.linkNanos())) {
            device.reserve(2 * BYTES);
            double[] rates = new double[COPIES * WAYS];
            for (int i = 0; i < rates.length; i++) {
                int way = i % WAYS;
                start.await();
                long startNanos = System.nanoTime();
                if (way != 1) {
                    up.copyToDevice(device.address(), in.memoryAddress(), BYTES);
                }
                if (way != 0) {
                    down.copyToHost(out.memoryAddress(), device.address() + BYTES, BYTES);
                }
                up.drain();
                down.drain();
                double bytes = way == 2 ? 2 * BYTES : BYTES;
                rates[i] = bytes / (System.nanoTime() - startNanos);
            }
            return rates;
        }
    }
}
