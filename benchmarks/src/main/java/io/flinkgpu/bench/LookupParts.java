package io.flinkgpu.bench;

import io.flinkgpu.backend.EmbeddingRows;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.lookup.MeasuredLink;
import io.flinkgpu.backend.cuda.lookup.MeasuredStages;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.TestRequests;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** What lookups on a GPU are made of: reads of host memory, and the steps of a batch. */
final class LookupParts {

    private static final int LINES = 1 << 20;
    private static final long SPACE_BYTES = 1L << 30;
    private static final long[] SPACES = {16L << 20, 256L << 20, 1L << 30, 4L << 30};
    private static final int LINE_BYTES = 128;
    private static final long MEMORY_LIMIT_BYTES = 1L << 30;
    private static final int[] DEVICE_PERCENTS = {100, 5};
    private static final int PERCENT = 100;

    private final LookupOptions options;
    private final KeysReport report;

    LookupParts(LookupOptions options, KeysReport report) {
        this.options = options;
        this.report = report;
    }

    private void add(
            String axis, String engine, Map<String, Long> at, String unit, double... values)
            throws IOException {
        report.add(Figure.of("lookup-" + axis, engine, at, unit, values));
    }

    /** Lines read by a kernel beside plain copies of as many bytes. */
    void link() throws Exception {
        int lines = options.quick() ? 1 << 10 : LINES;
        long space = options.quick() ? 1L << 20 : SPACE_BYTES;
        try (CudaBackend gpu = CudaBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES));
                MeasuredLink link = new MeasuredLink(gpu)) {
            for (int stride : new int[] {32, 64, LINE_BYTES}) {
                long bytes = (long) lines * stride;
                double[] gathered = new double[options.repeats()];
                double[] copied = new double[options.repeats()];
                for (int i = 0; i < options.repeats(); i++) {
                    gathered[i] = (double) bytes / link.gatherNanos(lines, stride, space);
                    copied[i] = (double) bytes / link.copyNanos(bytes);
                }
                Map<String, Long> at = Map.of("strideBytes", (long) stride);
                add("link", "zero-copy", at, "GB/s", gathered);
                add("link", "copy", at, "GB/s", copied);
            }
            for (long spread : options.quick() ? new long[] {1L << 20} : SPACES) {
                long bytes = (long) lines * LINE_BYTES;
                double gathered = (double) bytes / link.gatherNanos(lines, LINE_BYTES, spread);
                add("link", "zero-copy", Map.of("spaceBytes", spread), "GB/s", gathered);
                gathered = (double) bytes / link.gatherOrderedNanos(lines, LINE_BYTES, spread);
                add("link", "zero-copy-ordered", Map.of("spaceBytes", spread), "GB/s", gathered);
                gathered = (double) bytes / link.gatherAllocatedNanos(lines, LINE_BYTES, spread);
                add("link", "zero-copy-allocated", Map.of("spaceBytes", spread), "GB/s", gathered);
            }
        }
    }

    /**
     * How long a batch takes until its values are on the device, and each of its steps.
     *
     * @param at where figures of it are
     */
    void stages(String axis, LookupData data, int requests, double skew, Map<String, Long> at)
            throws Exception {
        for (int percent : DEVICE_PERCENTS) {
            EmbeddingPlan plan = LookupRig.plan(data, data.bytes() * percent / PERCENT);
            Map<String, Long> there = new TreeMap<>(at);
            there.put("devicePercent", (long) percent);
            try (CudaBackend gpu = CudaBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES));
                    MeasuredStages stages = new MeasuredStages(gpu, plan.tables());
                    ColumnBatch batch =
                            EmbeddingRows.requests(
                                    gpu.allocator(), plan, data.requests(requests, skew, 0))) {
                stages(axis, stages, batch, there);
            }
        }
    }

    private void stages(String axis, MeasuredStages stages, ColumnBatch batch, Map<String, Long> at)
            throws Exception {
        stages.nanos(batch);
        WarmUp.run(2, options.quick(), number -> stages.nanosToDevice(batch));
        double[] toDevice = new double[options.repeats()];
        for (int i = 0; i < toDevice.length; i++) {
            toDevice[i] = stages.nanosToDevice(batch) / 1e3;
        }
        add(axis, Engines.GPU, at, "us until on the device", toDevice);
        WarmUp.run(2, options.quick(), number -> stages.nanosToHost(batch));
        double[] toHost = new double[options.repeats()];
        for (int i = 0; i < toHost.length; i++) {
            toHost[i] = stages.nanosToHost(batch) / 1e3;
        }
        add(axis, Engines.GPU, at, "us until on the host", toHost);
        Map<String, double[]> micros = new TreeMap<>();
        for (int i = 0; i < options.repeats(); i++) {
            for (Map.Entry<String, Long> step : stages.nanos(batch).entrySet()) {
                double[] all =
                        micros.computeIfAbsent(
                                step.getKey(), name -> new double[options.repeats()]);
                all[i] = step.getValue() / 1e3;
            }
        }
        for (Map.Entry<String, double[]> step : micros.entrySet()) {
            add(axis, "step " + step.getKey(), at, "us", step.getValue());
        }
    }
}
