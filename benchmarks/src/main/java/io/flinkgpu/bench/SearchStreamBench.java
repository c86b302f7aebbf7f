package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * A Flink job that searches while documents change: first all documents come, then queries and changes at even
 * rates. Latency counts from when a query is due at the source to when its answer is at the sink. One shard
 * with the GPU, as many as there are cores with the CPU backend.
 */
final class SearchStreamBench {

    private static final Duration DELAY = Duration.ofMillis(2);
    private static final long NETWORK_DELAY_MILLIS = 1;
    private static final long MEMORY_LIMIT_BYTES = 1L << 30;
    private static final double PER_SECOND = 1e9;
    private static final String LATENCY = "latency";
    private static final String TIMES = "times";

    private final SearchLab lab;

    SearchStreamBench(SearchLab lab) {
        this.lab = lab;
    }

    void run() throws Exception {
        SearchOptions options = lab.options();
        for (BackendChoice backend : lab.backends()) {
            int shards = backend == BackendChoice.CUDA ? 1 : Math.toIntExact(options.shards()[0]);
            run(backend, options.skew(), shards);
        }
    }

    private void run(BackendChoice backend, double skew, int shards) throws Exception {
        SearchOptions options = lab.options();
        SetData data = lab.data(skew, options.corpus());
        long queriesPerSecond = options.queryRate(backend);
        long untimed = queriesPerSecond * options.seconds() / 2;
        long timed = queriesPerSecond * options.seconds();
        StreamGate.close();
        long start = System.nanoTime();
        JobExecutionResult result;
        try (Jobs jobs =
                new Jobs(
                        Math.max(shards, Runtime.getRuntime().availableProcessors()),
                        new Configuration())) {
            result = job(jobs, backend, data, skew, shards, untimed, untimed + timed);
        }
        long[] counts = result.getAccumulatorResult(LATENCY);
        long[] times = result.getAccumulatorResult(TIMES);
        String engine = Engines.flink(backend);
        Map<String, Long> at =
                SearchLab.at(
                        SearchLab.at(
                                SearchLab.at(SearchLab.at(data, skew), "shards", shards),
                                "queriesPerSecond",
                                queriesPerSecond),
                        "changesPerSecond",
                        options.rate());
        lab.add(
                "stream",
                engine,
                at,
                "s until all documents were sent",
                (StreamGate.openedNanos() - start) / PER_SECOND);
        lab.add(
                "stream",
                engine,
                at,
                "queries/s",
                (times[0] - 1) * PER_SECOND / Math.max(1, times[2] - times[1]));
        lab.add("stream", engine, at, "ms p50", LatencyCounts.percentile(counts, 0.5) / 1e3);
        lab.add("stream", engine, at, "ms p99", LatencyCounts.percentile(counts, 0.99) / 1e3);
        lab.say(
                String.format(
                        Locale.ROOT,
                        "%s: %,d answers timed, p99.9 %.3f ms",
                        engine,
                        times[0],
                        LatencyCounts.percentile(counts, 0.999) / 1e3));
    }

    private JobExecutionResult job(
            Jobs jobs,
            BackendChoice backend,
            SetData data,
            double skew,
            int shards,
            long untimed,
            long queries)
            throws Exception {
        SearchOptions options = lab.options();
        StreamExecutionEnvironment environment = jobs.environment(1);
        environment.setBufferTimeout(NETWORK_DELAY_MILLIS);
        SetDataMaker maker =
                new SetDataMaker(
                        options.lengths().toString(), skew, data.documents(), data.sorted());
        int loaders = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);
        long changes = queries * options.rate() / options.queryRate(backend);
        DataStream<Long> all =
                environment
                        .fromSource(
                                StreamGate.documents(data.documents()),
                                WatermarkStrategy.noWatermarks(),
                                "documents",
                                Types.LONG)
                        .setParallelism(loaders)
                        .union(
                                environment.fromSource(
                                        StreamGate.changes(
                                                data.documents(), changes, options.rate()),
                                        WatermarkStrategy.noWatermarks(),
                                        "changes",
                                        Types.LONG));
        DataStream<Tuple2<Long, Long>> asked =
                environment.fromSource(
                        StreamGate.queries(queries, untimed, options.queryRate(backend)),
                        WatermarkStrategy.noWatermarks(),
                        "queries");
        GpuStreams.search(
                        asked,
                        maker.query(Math.toIntExact(options.ks()[0])),
                        all,
                        maker.change(),
                        GpuOptions.DEFAULT
                                .withBackend(backend)
                                .withMemoryLimitBytes(MEMORY_LIMIT_BYTES)
                                .withBatchPolicy(BatchPolicy.DEFAULT.withMaxDelay(DELAY)))
                .corpusBytes((1L << 30) + 1_024 * data.documents() / shards)
                .parallelism(shards)
                .map(result -> result.query().f0, Types.LONG)
                .filter(new Stopwatch())
                .sinkTo(new DiscardingSink<>());
        return environment.execute("search");
    }

    /** Counts how late answers are, and when the first and the last came. */
    private static final class Stopwatch extends RichFilterFunction<Long> {

        private static final long serialVersionUID = 1L;

        private transient LatencyCounts latencies;
        private transient Times times;

        @Override
        public void open(OpenContext context) {
            latencies = new LatencyCounts();
            times = new Times();
            getRuntimeContext().addAccumulator(LATENCY, latencies);
            getRuntimeContext().addAccumulator(TIMES, times);
        }

        @Override
        public boolean filter(Long due) {
            if (due != PacedRate.UNTIMED) {
                long now = System.nanoTime();
                latencies.count((now - due) / 1_000);
                times.add(now);
            }
            return false;
        }
    }
}
