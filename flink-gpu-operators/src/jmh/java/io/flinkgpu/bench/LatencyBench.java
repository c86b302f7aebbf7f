package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.rules.DefaultRules;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How long redaction by the default rules keeps a record, at shares of the most that one subtask does:
 * from the time the record was due to its emission, so that a source held up by the job does not hide
 * what waits. Made-up service logs, one line a record; the first third of each job is not counted.
 *
 * <p>Arguments: {@code [backend] [delay in ms] [seconds]}; without, CPU, 5 ms, jobs of 6 s.
 */
public final class LatencyBench {

    private static final int[] LOAD_PERCENTS = {1, 10, 25, 50, 75, 90};
    private static final int LINES_BYTES = 1 << 20;
    private static final long WARM_UP_RECORDS = 3_000_000;
    private static final String LATENCIES = "latencies";

    private LatencyBench() {}

    /**
     * Latencies at a load.
     *
     * @param percent of what one subtask does at most
     */
    record Latency(
            int percent, long recordsPerSecond, double p50Millis, double p99Millis, double maxMillis) {}

    public static void main(String[] args) throws Exception {
        BackendChoice backend =
                BackendChoice.valueOf((args.length > 0 ? args[0] : "cpu").toUpperCase(Locale.ROOT));
        int delayMillis = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 6;
        System.out.printf(
                "%s, delay %d ms%nload %%  records/s    p50 ms    p99 ms    max ms%n",
                backend, delayMillis);
        for (Latency latency : measure(backend, Duration.ofMillis(delayMillis), seconds)) {
            System.out.printf(
                    Locale.ROOT,
                    "%6d %10d %9.2f %9.2f %9.2f%n",
                    latency.percent,
                    latency.recordsPerSecond,
                    latency.p50Millis,
                    latency.p99Millis,
                    latency.maxMillis);
        }
        System.exit(0);
    }

    /** Latencies at several loads, the least first, with a batch policy of this delay. */
    static List<Latency> measure(BackendChoice backend, Duration maxDelay, int seconds)
            throws Exception {
        GpuOptions options =
                GpuOptions.DEFAULT
                        .withBackend(backend)
                        .withBatchPolicy(BatchPolicy.DEFAULT.withMaxDelay(maxDelay));
        run(options, WARM_UP_RECORDS, 0);
        long started = System.nanoTime();
        run(options, 1, 0);
        long startNanos = System.nanoTime() - started;
        started = System.nanoTime();
        run(options, WARM_UP_RECORDS, 0);
        double workNanos = System.nanoTime() - started - startNanos;
        double most = WARM_UP_RECORDS * 1e9 / workNanos;
        List<Latency> latencies = new ArrayList<>();
        for (int percent : LOAD_PERCENTS) {
            long perSecond = (long) (most * percent / 100);
            latencies.add(latency(percent, perSecond, run(options, perSecond * seconds, perSecond)));
        }
        return latencies;
    }

    private static Latency latency(int percent, long perSecond, List<Integer> micros) {
        int[] sorted = micros.stream().mapToInt(Integer::intValue).sorted().toArray();
        return new Latency(
                percent,
                perSecond,
                sorted[sorted.length / 2] / 1e3,
                sorted[(int) (sorted.length * 0.99)] / 1e3,
                sorted[sorted.length - 1] / 1e3);
    }

    /** Microseconds of a sample of the records. */
    private static List<Integer> run(GpuOptions options, long records, long perSecond)
            throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        String[] lines = lines();
        GpuStreams.redact(
                        environment
                                .fromSource(
                                        new PacedSource(records, perSecond),
                                        WatermarkStrategy.noWatermarks(),
                                        "times",
                                        Types.LONG)
                                .map(due -> Tuple2.of(due, lines[(int) (due & lines.length - 1)]))
                                .returns(Types.TUPLE(Types.LONG, Types.STRING)),
                        record -> record.f1,
                        (record, text) -> Tuple2.of(record.f0, text),
                        DefaultRules.get(),
                        options)
                .filter(new Sample(records))
                .sinkTo(new DiscardingSink<>());
        JobExecutionResult result = environment.execute();
        return result.getAccumulatorResult(LATENCIES);
    }

    /** As many lines as a power of two. */
    private static String[] lines() throws IOException {
        List<String> rows = BenchInput.rows(BenchInput.lines("", LINES_BYTES));
        return rows.subList(0, Integer.highestOneBit(rows.size())).toArray(new String[0]);
    }

    /** Takes the time of some records, and lets none through. */
    private static final class Sample extends RichFilterFunction<Tuple2<Long, String>> {

        private static final long serialVersionUID = 1L;

        private static final int SAMPLES = 200_000;

        private final long first;
        private final long step;
        private transient ListAccumulator<Integer> latencies;
        private transient long seen;

        Sample(long records) {
            first = records / 3;
            step = Math.max(1, (records - first) / SAMPLES);
        }

        @Override
        public void open(OpenContext context) {
            latencies = new ListAccumulator<>();
            getRuntimeContext().addAccumulator(LATENCIES, latencies);
        }

        @Override
        public boolean filter(Tuple2<Long, String> record) {
            if (seen++ >= first && seen % step == 0) {
                latencies.add((int) ((System.nanoTime() - record.f0) / 1000));
            }
            return false;
        }
    }
}
