package io.flinkgpu.bench;

import io.flinkgpu.api.dense.DenseLayer;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DensePrecision;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.dense.CpuDense;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.lookup.DeviceDense;
import io.flinkgpu.oracle.DenseModel;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/** The deep & cross network of Criteo's shape on a GPU, for numbers that are there: exact and fast. */
final class DenseSpeed {

    static final int WIDTH = 845;
    static final int CROSSES = 6;
    static final int HIDDEN = 1_024;
    private static final int ROWS = 4_096;
    private static final int WARM_UPS = 20;
    private static final long MEMORY_LIMIT_BYTES = 1L << 30;
    private static final double PERCENT = 100;

    private final LookupOptions options;
    private final KeysReport report;

    DenseSpeed(LookupOptions options, KeysReport report) {
        this.options = options;
        this.report = report;
    }

    /**
     * Measures both precisions.
     *
     * @throws IllegalStateException if exact results are not the CPU's bits
     */
    void run() throws Exception {
        int rows = options.quick() ? 200 : ROWS;
        Random random = new Random(1);
        DenseModel model =
                options.quick()
                        ? DeepAndCross.of(random, 40, 2, 64)
                        : DeepAndCross.of(random, WIDTH, CROSSES, HIDDEN);
        float[][] input = model.rows(random, rows, false);
        DensePlan plan = model.plan();
        float[] exact;
        try (CudaBackend gpu = CudaBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES))) {
            exact = measure(gpu, plan, input, "exact");
            float[] fast = measure(gpu, plan.withPrecision(DensePrecision.FAST), input, "fast");
            double squares = 0;
            double most = 0;
            for (int i = 0; i < exact.length; i++) {
                squares += (double) exact[i] * exact[i];
                most = Math.max(most, Math.abs(fast[i] - exact[i]));
            }
            double error = PERCENT * most / Math.sqrt(squares / exact.length);
            add("fast", rows, "% of a usual result, largest error", error);
        }
        requireSame(plan, input, exact);
    }

    private float[] measure(CudaBackend gpu, DensePlan plan, float[][] input, String engine)
            throws Exception {
        try (DeviceDense dense = new DeviceDense(gpu, plan, input)) {
            for (int i = 0; i < WARM_UPS; i++) {
                dense.nanos();
            }
            double[] micros = new double[options.repeats()];
            for (int i = 0; i < micros.length; i++) {
                micros[i] = dense.nanos() / 1e3;
            }
            add(engine, input.length, "us device", micros);
            double operations = input.length * operations(plan);
            add(
                    engine,
                    input.length,
                    "TFLOP/s",
                    Arrays.stream(micros).map(it -> operations / it / 1e6).toArray());
            return dense.outputs();
        }
    }

    /** Of a row: products and sums of linear and cross layers. */
    static double operations(DensePlan plan) {
        double sum = 0;
        for (DenseLayer layer : plan.layers()) {
            if (layer instanceof DenseLayer.Linear linear) {
                sum += 2.0 * linear.weights().rows() * linear.weights().columns();
            } else if (layer instanceof DenseLayer.Cross cross) {
                sum += 5.0 * cross.weights().size();
            }
        }
        return sum;
    }

    private void add(String engine, int rows, String unit, double... values) throws Exception {
        report.add(Figure.of("lookup-dense", engine, Map.of("rows", (long) rows), unit, values));
    }

    private static void requireSame(DensePlan plan, float[][] input, float[] exact) {
        CpuDense cpu = new CpuDense(plan);
        for (int row = 0; row < input.length; row++) {
            System.arraycopy(input[row], 0, cpu.input(0), 0, plan.inputWidth());
            cpu.run(1);
            if (Float.floatToIntBits(cpu.output(0)[0]) != Float.floatToIntBits(exact[row])) {
                throw new IllegalStateException("not the CPU's result: row=" + row);
            }
        }
    }
}
