package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long a record takes from when it is due at the source to when it leaves the operator, over the
 * load: redaction of lines, one task, 5 ms delay. A record that could not come in time has waited since
 * it was due. The most that the task takes is measured first; loads are parts of it.
 */
final class LatencyAxis {

    private static final Duration DELAY = Duration.ofMillis(5);
    private static final int[] LOADS_PERCENT = {10, 25, 50, 75, 90};
    private static final int[] QUICK_LOADS_PERCENT = {50};
    private static final int MAX_RATE_RECORDS = 4_000_000;
    private static final int QUICK_RECORDS = 10_000;
    private static final double MEASURED_SECONDS = 1.2;
    private static final String ACCUMULATOR = "latency";

    private final Lab lab;
    private final BackendChoice backend;
    private final String[] texts;

    private LatencyAxis(Lab lab, BackendChoice backend) {
        this.lab = lab;
        this.backend = backend;
        texts = BenchInput.rows(lab.input().lines(1 << 20)).toArray(new String[0]);
    }

    static void run(Lab lab) throws Exception {
        for (BackendChoice backend : lab.choices()) {
            new LatencyAxis(lab, backend).run();
        }
    }

    private void run() throws Exception {
        int most = lab.settings().pick(MAX_RATE_RECORDS, QUICK_RECORDS);
        if (!lab.settings().quick()) {
            execute(0, 0, most / 4);
        }
        double perSecond = most / Jobs.seconds(execute(0, 0, most));
        add("max", at(perSecond, 100), "records/s", perSecond);
        for (int percent : lab.settings().quick() ? QUICK_LOADS_PERCENT : LOADS_PERCENT) {
            measure(perSecond * percent / 100, percent);
        }
    }

    private void measure(double perSecond, int percent) throws Exception {
        long timed = (long) (perSecond * (lab.settings().quick() ? 0.1 : MEASURED_SECONDS));
        long untimed = timed / 2;
        long[] counts =
                execute(1e9 / perSecond, untimed, untimed + timed)
                        .getAccumulatorResult(ACCUMULATOR);
        Map<String, Long> at = at(perSecond, percent);
        add("p50", at, "ms", LatencyCounts.percentile(counts, 0.5) / 1e3);
        add("p99", at, "ms", LatencyCounts.percentile(counts, 0.99) / 1e3);
    }

    private static Map<String, Long> at(double perSecond, int percent) {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("recordsPerSecond", Math.round(perSecond));
        at.put("loadPercent", (long) percent);
        return at;
    }

    private void add(String what, Map<String, Long> at, String unit, double value)
            throws IOException {
        lab.add(Figure.of("latency", Engines.flink(backend) + "-" + what, at, unit, value));
    }

    private JobExecutionResult execute(double nanosPerRecord, long untimed, long records)
            throws Exception {
        StreamExecutionEnvironment environment = lab.jobs().environment(1);
        DataStream<Tuple2<Long, String>> source =
                environment.fromSource(
                        PacedRate.source(texts, nanosPerRecord, untimed, records),
                        WatermarkStrategy.noWatermarks(),
                        "lines");
        GpuStreams.redact(
                        source,
                        record -> record.f1,
                        (record, redacted) -> Tuple2.of(record.f0, redacted),
                        lab.rules(),
                        GpuOptions.DEFAULT
                                .withBackend(backend)
                                .withBatchPolicy(BatchPolicy.DEFAULT.withMaxDelay(DELAY)))
                .filter(new Stopwatch())
                .sinkTo(new DiscardingSink<>());
        return environment.execute("latency");
    }

    /** Counts how late records are. */
    private static final class Stopwatch extends RichFilterFunction<Tuple2<Long, String>> {

        private static final long serialVersionUID = 1L;

        private transient LatencyCounts counts;

        @Override
        public void open(OpenContext context) {
            counts = new LatencyCounts();
            getRuntimeContext().addAccumulator(ACCUMULATOR, counts);
        }

        @Override
        public boolean filter(Tuple2<Long, String> record) {
            if (record.f0 != PacedRate.UNTIMED) {
                counts.count((System.nanoTime() - record.f0) / 1_000);
            }
            return true;
        }
    }
}
