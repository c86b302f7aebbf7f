package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.ScoredRows;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.testkit.DenseModel;

import org.apache.flink.api.java.tuple.Tuple2;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What a sample costs the host in a scoring job, step by step: its request is read, read and put into a batch, and its score
 * emitted. Prints the fastest round of each: {@code main ROUNDS REQUESTS}, which are {@code places} without bags, or have
 * bags whose names of tables are {@code shared}, as constants in code are, or {@code own} to each bag.
 */
public final class RequestBench {

    private static final int SAMPLES = 1 << 14;
    private static final int BATCH_ROWS = 1 << 11;
    private static final int FEATURES = 26;
    private static final int DIMENSION = 32;
    private static final int NUMBERS = 13;
    private static final List<String> STEPS = List.of("request", "request into a batch", "emit");

    private final List<LookupRequest> requests = new ArrayList<>();
    private final List<Tuple2<Long, String>> samples = new ArrayList<>();
    private final TableReader tables;
    private final EmbeddingPlan plan;
    private final ResultMapper<Tuple2<Long, String>, Tuple2<Long, Float>> mapper =
            new ResultMapper<>(
                    result -> Tuple2.of(result.record().f0, result.values().values()[0]),
                    ErrorValues.HIDDEN);
    private final long[] nanos = new long[STEPS.size()];
    private float sum;

    private RequestBench(String form) {
        Random random = new Random(1);
        List<EmbeddingTable> all =
                IntStream.range(0, FEATURES)
                        .mapToObj(i -> EmbeddingTable.of("t" + i, DIMENSION, ElementType.F32))
                        .toList();
        DenseModel model = new DenseModel(FEATURES * DIMENSION + NUMBERS);
        model.linear(0, 1, DenseModel.some(random, model.inputWidth()), new float[1]);
        Feature[] features =
                all.stream().map(table -> Feature.of(table.name())).toArray(Feature[]::new);
        tables = new TableReader(all, Scoring.of(model.plan(), NUMBERS, features));
        plan = new EmbeddingPlan(new EmbeddingTablesPlan(all, 0, 0, null));
        List<String> names = IntStream.range(0, FEATURES).mapToObj(i -> "t" + i).toList();
        for (int i = 0; i < SAMPLES; i++) {
            samples.add(Tuple2.of((long) i, Integer.toString(i)));
            if (form.equals("places")) {
                long[] ids = random.longs(FEATURES).toArray();
                requests.add(LookupRequest.ofIds(ids, DenseModel.some(random, NUMBERS)));
                continue;
            }
            Bag[] bags = new Bag[FEATURES];
            for (int table = 0; table < FEATURES; table++) {
                String name = form.equals("own") ? "t" + table : names.get(table);
                bags[table] = Bag.of(name, Combiner.SUM, random.nextLong());
            }
            requests.add(LookupRequest.of(bags).withDense(DenseModel.some(random, NUMBERS)));
        }
    }

    public static void main(String[] args) {
        RequestBench bench = new RequestBench(args[1]);
        int rounds = Integer.parseInt(args[0]);
        long[] least = new long[STEPS.size()];
        Arrays.fill(least, Long.MAX_VALUE);
        for (int round = 0; round < rounds; round++) {
            Arrays.fill(bench.nanos, 0);
            bench.round();
            for (int step = 0; step < least.length; step++) {
                least[step] = Math.min(least[step], bench.nanos[step]);
            }
        }
        for (int step = 0; step < least.length; step++) {
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.0f ns a sample%n",
                    STEPS.get(step),
                    (double) least[step] / SAMPLES);
        }
        System.out.println("scores add up to " + bench.sum);
    }

    /** Reads each request, then reads each again and puts it into a batch. */
    private void round() {
        ValueGetter<Tuple2<Long, String>, AskedRequest> reader =
                tables.requests(sample -> requests.get(Integer.parseInt(sample.f1)));
        try (BufferAllocator allocator = new RootAllocator()) {
            RequestRows rows = new RequestRows(plan.input(), allocator, BatchPolicy.DEFAULT);
            BatchInput<Tuple2<Long, String>> input = rows.input();
            for (int from = 0; from < SAMPLES; from += BATCH_ROWS) {
                long started = System.nanoTime();
                for (int i = from; i < from + BATCH_ROWS; i++) {
                    sum += reader.get(samples.get(i)).values();
                }
                started = add(0, started);
                for (int i = from; i < from + BATCH_ROWS; i++) {
                    rows.set(reader.get(samples.get(i)));
                    if (!input.appender().test(samples.get(i))) {
                        throw new IllegalStateException("a batch is full: rows=" + i);
                    }
                }
                input.builder().build().close();
                add(1, started);
                emit(allocator, from);
            }
        }
    }

    private void emit(BufferAllocator allocator, int from) {
        try (ScoredRows scores = scores(allocator);
                TransformedBatch batch = new TransformedBatch(scores.build(), 0)) {
            long started = System.nanoTime();
            FoundValues found = new FoundValues(batch);
            for (int row = 0; row < BATCH_ROWS; row++) {
                sum += mapper.map(samples.get(from + row), found.at(row)).f1;
            }
            add(2, started);
        }
    }

    private static ScoredRows scores(BufferAllocator allocator) {
        ScoredRows scores = new ScoredRows(allocator, BATCH_ROWS, 1);
        for (int row = 0; row < BATCH_ROWS; row++) {
            scores.put(row, new float[] {0.5f});
        }
        return scores;
    }

    private long add(int step, long started) {
        long now = System.nanoTime();
        nanos[step] += now - started;
        return now;
    }
}
