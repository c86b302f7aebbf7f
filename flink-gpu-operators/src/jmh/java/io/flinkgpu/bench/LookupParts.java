package io.flinkgpu.bench;

import io.flinkgpu.backend.EmbeddingRows;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.lookup.MeasuredLink;
import io.flinkgpu.backend.cuda.lookup.MeasuredStages;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.column.ColumnBatch;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** What lookups on a GPU are made of: reads of host memory, and the steps of a batch. */
final class LookupParts {

    private static final int LINES = 1 << 20;
    private static final long SPACE_BYTES = 1L << 30;
    private static final long[] SPACES = {16L << 20, 256L << 20, 4L << 30};
    private static final int LINE_BYTES = 128;
    private static final long MEMORY_LIMIT_BYTES = 1L << 30;
    private static final int[] DEVICE_PERCENTS = {100, 5};
    private static final int WARM_UPS = 20;
    private static final int PERCENT = 100;

    private final LookupOptions options;
    private final KeysReport report;

    LookupParts(LookupOptions options, KeysReport report) {
        this.options = options;
        this.report = report;
    }

    private void add(String axis, String engine, Map<String, Long> at, String unit, double... values)
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
                gathered = (double) bytes / link.gatherAllocatedNanos(lines, LINE_BYTES, spread);
                add("link", "zero-copy-allocated", Map.of("spaceBytes", spread), "GB/s", gathered);
            }
        }
    }

    /** The steps of a batch, each by itself. */
    void stages(LookupData data) throws Exception {
        for (int percent : DEVICE_PERCENTS) {
            EmbeddingPlan plan = LookupRig.plan(data, data.bytes() * percent / PERCENT);
            try (CudaBackend gpu = CudaBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES));
                    MeasuredStages stages = new MeasuredStages(gpu, plan.tables());
                    ColumnBatch batch =
                            EmbeddingRows.requests(
                                    gpu.allocator(),
                                    plan,
                                    data.requests(options.batchIds(), LookupData.USUAL_SKEW, 0))) {
                for (int i = 0; i < WARM_UPS; i++) {
                    stages.nanos(batch);
                }
                Map<String, double[]> micros = new TreeMap<>();
                for (int i = 0; i < options.repeats(); i++) {
                    for (Map.Entry<String, Long> step : stages.nanos(batch).entrySet()) {
                        micros.computeIfAbsent(
                                        step.getKey(), name -> new double[options.repeats()])[i] =
                                step.getValue() / 1e3;
                    }
                }
                for (Map.Entry<String, double[]> step : micros.entrySet()) {
                    Map<String, Long> at = Map.of("devicePercent", (long) percent);
                    add("stages", step.getKey(), at, "us", step.getValue());
                }
            }
        }
    }
}
