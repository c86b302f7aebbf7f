package io.flinkgpu.bench;

import io.flinkgpu.backend.cpu.dense.CpuDense;
import io.flinkgpu.onnx.OnnxWriter;
import io.flinkgpu.oracle.DenseModel;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * A deep & cross network of the shape of Criteo Kaggle on one core, in CPU time, exact, and by ONNX Runtime with one thread, whose
 * sums have another order. Arguments: rows of a batch, rounds.
 */
public final class DenseBench {

    private static final int WIDTH = DenseSpeed.WIDTH;
    private static final int CROSSES = DenseSpeed.CROSSES;
    private static final int HIDDEN = DenseSpeed.HIDDEN;

    private DenseBench() {}

    public static void main(String[] args) throws Exception {
        int rows = args.length > 0 ? Integer.parseInt(args[0]) : 4_096;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        Random random = new Random(1);
        DenseModel model = DeepAndCross.of(random, WIDTH, CROSSES, HIDDEN);
        float[][] input = model.rows(random, rows, false);
        long exact = Long.MAX_VALUE;
        CpuDense dense = new CpuDense(model.plan());
        for (int round = 0; round < rounds; round++) {
            exact = Math.min(exact, nanos(dense, input));
        }
        print("exact, CpuDense", rows, exact);
        print("ONNX Runtime, one thread", rows, onnxRuntime(model, input, rounds));
    }

    private static long nanos(CpuDense dense, float[][] input) {
        long started = cpuNanos();
        for (int from = 0; from < input.length; from += CpuDense.BLOCK_ROWS) {
            int count = Math.min(CpuDense.BLOCK_ROWS, input.length - from);
            for (int row = 0; row < count; row++) {
                System.arraycopy(input[from + row], 0, dense.input(row), 0, WIDTH);
            }
            dense.run(count);
        }
        return cpuNanos() - started;
    }

    private static long onnxRuntime(DenseModel model, float[][] input, int rounds)
            throws Exception {
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            try (OrtSession session = environment.createSession(OnnxWriter.of(model), options);
                    OnnxTensor tensor = OnnxTensor.createTensor(environment, input)) {
                long best = Long.MAX_VALUE;
                for (int round = 0; round < rounds; round++) {
                    long started = cpuNanos();
                    session.run(Map.of("v0", tensor)).close();
                    best = Math.min(best, cpuNanos() - started);
                }
                return best;
            }
        }
    }

    /** Of this thread: others may have the machine meanwhile. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void print(String what, int rows, long nanos) {
        double operations = 2.0 * (WIDTH * HIDDEN + HIDDEN * HIDDEN + WIDTH + HIDDEN);
        operations += 5.0 * WIDTH * CROSSES;
        System.out.printf(
                Locale.ROOT,
                "%s: %d rows in %.1f ms, %,.0f rows/s, %.1f GFLOP/s%n",
                what,
                rows,
                nanos / 1e6,
                rows * 1e9 / nanos,
                rows * operations / nanos);
    }
}
