package io.flinkgpu.bench;

import io.flinkgpu.AnsweredAtOnce;
import io.flinkgpu.GpuStreams;
import io.flinkgpu.LookupStream;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.LookupBatch;
import io.flinkgpu.api.lookup.LookupBatchMapper;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.bench.PacedRate.Shares;
import io.flinkgpu.testkit.DenseModel;
import io.flinkgpu.testkit.DenseModel.Kind;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import org.apache.arrow.vector.Float4Vector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A Flink job that scores samples: as fast as it can, and at a rate, where latency counts from when a sample is due at
 * the source to when its score is at the sink. The same job with peers, in turns: a map function; and where there is a
 * GPU, a gather on the host for the same model on the GPU.
 */
final class LookupStreamBench {

    private static final String AXIS = "lookup-stream";
    private static final Duration DELAY = Duration.ofMillis(2);
    private static final long NETWORK_DELAY_MILLIS = 1;
    private static final long MEMORY_LIMIT_BYTES = 1L << 30;
    private static final double PER_SECOND = 1e9;
    private static final int CROSSES = 3;
    private static final int HIDDEN = 128;

    /** The map function's part of the samples is so much smaller, as it is slower. */
    private static final int MAP_SHARE = 64;

    private static final TypeInformation<byte[]> MESSAGE =
            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
    private static final TypeInformation<Tuple2<Long, Float>> SCORE =
            Types.TUPLE(Types.LONG, Types.FLOAT);

    private final LookupOptions options;
    private final KeysReport report;
    private final LookupData data;
    private final DensePlan model;
    private final SampleRequests requests;
    private final byte[][] messages;
    private final Map<Figure, List<Double>> turns = new LinkedHashMap<>();

    LookupStreamBench(LookupOptions options, KeysReport report, LookupData data) {
        this.options = options;
        this.report = report;
        this.data = data;
        this.requests = new SampleRequests(data.tables().size());
        this.messages = SampleRequests.messages(data);
        this.model = model(data.tables().size() * LookupData.DIMENSION + SampleRequests.NUMBERS);
    }

    private static DensePlan model(int width) {
        DenseModel model = DeepAndCross.of(new Random(1), width, CROSSES, HIDDEN);
        model.add(Kind.SIGMOID, 1, List.of(model.steps().size()));
        return model.plan();
    }

    /**
     * Measures each backend and the peers.
     *
     * @throws IllegalStateException if their scores are not the same bits
     */
    void run(List<BackendChoice> backends) throws Exception {
        List<String> engines = options.engines();
        if (engines.isEmpty()) {
            engines = new ArrayList<>(backends.stream().map(Engines::flink).toList());
            if (backends.contains(BackendChoice.CUDA)) {
                engines.add(Engines.FLINK_GATHER);
            }
            engines.add(Engines.FLINK_MAP);
        }
        long full = 0;
        for (int turn = 0; turn < options.turns(); turn++) {
            for (long subtasks : options.parallelisms()) {
                int parallelism = Math.toIntExact(subtasks);
                long paced = 0;
                for (String engine : engines) {
                    boolean isScored = !engine.equals(Engines.FLINK_HOST);
                    long bits = full(engine, parallelism);
                    full = isScored ? same(full, bits) : full;
                    if (options.seconds() > 0) {
                        bits = paced(engine, parallelism);
                        paced = isScored ? same(paced, bits) : paced;
                    }
                }
            }
        }
        for (Map.Entry<Figure, List<Double>> all : turns.entrySet()) {
            Figure figure = all.getKey();
            double[] values = all.getValue().stream().mapToDouble(Double::doubleValue).toArray();
            report.add(Figure.of(AXIS, figure.engine(), figure.at(), figure.unit(), values));
        }
    }

    private static long same(long before, long bits) {
        if (before != 0 && before != bits) {
            throw new IllegalStateException("scores are different from those before");
        }
        return bits;
    }

    /** As many records as are asked for or more, so that all samples come as often. */
    private long full(String engine, int parallelism) throws Exception {
        long cycle = (long) SampleRequests.COUNT * parallelism;
        long samples =
                engine.equals(Engines.FLINK_MAP)
                        ? options.samples() / MAP_SHARE
                        : options.samples();
        long cycles = Math.max(2, samples / cycle / 2 * 2);
        long records = cycles * cycle;
        JobExecutionResult result = job(engine, new Shares(parallelism, 0, records / 2, records));
        long[] times = result.getAccumulatorResult(AnswerStopwatch.TIMES);
        add(
                engine,
                Map.of("parallelism", (long) parallelism),
                "samples/s",
                (times[0] - 1) * PER_SECOND / (times[2] - times[1]));
        long bits = result.getAccumulatorResult(AnswerStopwatch.BITS);
        return bits / (cycles * parallelism);
    }

    private long paced(String engine, int parallelism) throws Exception {
        long timed = (long) options.rate() * options.seconds() / parallelism * parallelism;
        JobExecutionResult result =
                job(engine, new Shares(parallelism, PER_SECOND / options.rate(), timed, 2 * timed));
        long[] counts = result.getAccumulatorResult(AnswerStopwatch.LATENCY);
        Map<String, Long> at =
                Map.of(
                        "parallelism",
                        (long) parallelism,
                        "samplesPerSecond",
                        (long) options.rate());
        add(engine, at, "ms p50", LatencyCounts.percentile(counts, 0.5) / 1e3);
        add(engine, at, "ms p99", LatencyCounts.percentile(counts, 0.99) / 1e3);
        return result.getAccumulatorResult(AnswerStopwatch.BITS);
    }

    /** One turn's; the figure of all turns comes behind the last. */
    private void add(String engine, Map<String, Long> at, String unit, double value) {
        Figure place = Figure.of(AXIS, engine, at, unit, 0);
        turns.computeIfAbsent(place, figure -> new ArrayList<>()).add(value);
        report.say(Figure.of(AXIS, engine, at, unit, value).toString());
    }

    private JobExecutionResult job(String engine, Shares shares) throws Exception {
        try (Jobs jobs =
                new Jobs(
                        Math.max(shares.subtasks(), Runtime.getRuntime().availableProcessors()),
                        new Configuration())) {
            StreamExecutionEnvironment environment = jobs.environment(shares.subtasks());
            environment.setBufferTimeout(NETWORK_DELAY_MILLIS);
            DataStream<Tuple2<Long, byte[]>> samples =
                    environment
                            .fromSource(
                                    PacedRate.source(messages, MESSAGE, shares),
                                    WatermarkStrategy.noWatermarks(),
                                    "samples")
                            .rebalance();
            DataStream<Tuple2<Long, Float>> scores =
                    switch (engine) {
                        case Engines.FLINK_MAP ->
                                samples.map(new MapScores(data, requests, model)).returns(SCORE);
                        case Engines.FLINK_GATHER ->
                                samples.transform(
                                        engine,
                                        SCORE,
                                        new GatherScores(data, requests, model, DELAY));
                        case Engines.FLINK_GPU, Engines.FLINK_CPU, Engines.FLINK_HOST ->
                                lookup(engine, samples, environment);
                        default ->
                                throw new IllegalArgumentException(
                                        "no such engine of jobs: '"
                                                + engine
                                                + "'; --help has them all");
                    };
            scores.filter(new AnswerStopwatch()).sinkTo(new DiscardingSink<>());
            return environment.execute("scores");
        }
    }

    private DataStream<Tuple2<Long, Float>> lookup(
            String engine,
            DataStream<Tuple2<Long, byte[]>> samples,
            StreamExecutionEnvironment environment) {
        Feature[] features =
                data.tables().stream()
                        .map(table -> Feature.of(table.name()))
                        .toArray(Feature[]::new);
        BackendChoice backend =
                engine.equals(Engines.FLINK_GPU) ? BackendChoice.CUDA : BackendChoice.CPU;
        DataStream<Long> none = environment.fromSequence(0, 0).filter(number -> false);
        ValueGetter<Long, VectorChange> change = id -> VectorChange.delete("t0", id);
        GpuOptions with =
                GpuOptions.DEFAULT
                        .withBackend(backend)
                        .withMemoryLimitBytes(MEMORY_LIMIT_BYTES)
                        .withBatchPolicy(BatchPolicy.DEFAULT.withMaxDelay(DELAY));
        LookupStream<Tuple2<Long, byte[]>, Long> lookup =
                engine.equals(Engines.FLINK_HOST)
                        ? AnsweredAtOnce.lookup(samples, requests::get, none, change, with)
                        : GpuStreams.lookup(samples, requests::get, none, change, with);
        return lookup.tables(data.tables().toArray(new EmbeddingTable[0]))
                .score(Scoring.of(model, SampleRequests.NUMBERS, features))
                .mapBatches(LookupStreamBench::emit, SCORE);
    }

    /** A score of each request. */
    private static void emit(
            LookupBatch<Tuple2<Long, byte[]>> batch,
            LookupBatchMapper.Output<Tuple2<Long, Float>> output) {
        Float4Vector scores = (Float4Vector) batch.values().getDataVector();
        for (int request = 0; request < batch.requests(); request++) {
            output.collect(request, Tuple2.of(batch.record(request).f0, scores.get(request)));
        }
    }
}
