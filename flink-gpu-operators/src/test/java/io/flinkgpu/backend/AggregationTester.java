package io.flinkgpu.backend;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.AggregationAnswer;
import io.flinkgpu.testkit.AggregationInput;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Aggregates on a backend and compares its answers with the oracle's. */
abstract class AggregationTester extends BackendTester {

    static final long SEED = Long.getLong("aggregation.seed", 20_261_121);
    static final ValueSpec LONGS = value(ColumnType.LONG, Aggregate.values());
    static final ValueSpec DOUBLES = value(ColumnType.DOUBLE, Aggregate.values());
    static final AggregatePlan BY_ID = new AggregatePlan(ColumnType.INT, List.of(LONGS, DOUBLES));
    static final AggregatePlan BY_BYTES =
            new AggregatePlan(ColumnType.BYTES, List.of(LONGS, DOUBLES));

    final Random random = new Random(SEED);

    void check(AggregationInput input) throws Exception {
        AggregationAnswer expected = AggregationAnswer.expected(input);
        run(input, Math.max(1, input.rows())).assertEquals(expected, "seed=" + SEED);
    }

    /** Aggregates two parts of one batch, cut so that bitmaps do not start at whole bytes. */
    void checkSlices(AggregationInput input) throws Exception {
        AggregationAnswer actual = AggregationAnswer.empty(input);
        int cut = input.rows() / 2 | 1;
        try (CompiledProgram<GroupedBatch> program = backend.compile(input.plan());
                ColumnBatch all = input.batch(backend.allocator(), 0, input.rows());
                ColumnBatch left = all.slice(0, cut);
                ColumnBatch right = all.slice(cut, input.rows() - cut)) {
            try (GroupedBatch result = program.submit(left).await()) {
                actual.add(input, 0, result);
            }
            try (GroupedBatch result = program.submit(right).await()) {
                actual.add(input, cut, result);
            }
        }
        actual.assertEquals(AggregationAnswer.expected(input), "cut=" + cut + ", seed=" + SEED);
    }

    static void assertAnswer(AggregationInput input, GroupedBatch result) {
        AggregationAnswer actual = AggregationAnswer.empty(input);
        actual.add(input, 0, result);
        actual.assertEquals(AggregationAnswer.expected(input), "seed=" + SEED);
    }

    /** Aggregates in batches, several of them under way at once, and merges the answers. */
    AggregationAnswer run(AggregationInput input, int rowsPerBatch) throws Exception {
        AggregationAnswer answer = AggregationAnswer.empty(input);
        Deque<Flight> flights = new ArrayDeque<>();
        try (CompiledProgram<GroupedBatch> program = backend.compile(input.plan())) {
            for (int from = 0; from == 0 || from < input.rows(); from += rowsPerBatch) {
                if (flights.size() == 3) {
                    flights.remove().land(input, answer);
                }
                int to = Math.min(input.rows(), from + rowsPerBatch);
                ColumnBatch batch = input.batch(backend.allocator(), from, to);
                flights.add(new Flight(batch, program.submit(batch), from));
            }
            while (!flights.isEmpty()) {
                flights.remove().land(input, answer);
            }
        }
        return answer;
    }

    private record Flight(ColumnBatch batch, Submission<GroupedBatch> submission, int firstRow) {

        void land(AggregationInput input, AggregationAnswer answer) throws Exception {
            try (batch;
                    GroupedBatch result = submission.await()) {
                answer.add(input, firstRow, result);
            }
        }
    }

    AggregationInput usual(AggregatePlan plan, int rows, int keys, int slices) {
        IntFunction<Object> key =
                plan.key() == ColumnType.INT
                        ? i -> i
                        : i -> ascii("device-" + Integer.toHexString(i));
        AggregationInput input = new AggregationInput(plan);
        for (int row = 0; row < rows; row++) {
            input.add(
                    key.apply(random.nextInt(keys)),
                    10_000L * random.nextInt(slices),
                    random.nextLong() >> random.nextInt(64),
                    random.nextInt(1000) / 10.0 * (random.nextInt(3) - 1));
        }
        return input;
    }

    AggregationInput doubles(int rows, int keys, Supplier<Double> next) {
        AggregationInput input =
                new AggregationInput(new AggregatePlan(ColumnType.INT, List.of(DOUBLES)));
        for (int row = 0; row < rows; row++) {
            input.add(random.nextInt(keys), 0, next.get());
        }
        return input;
    }

    static ValueSpec value(ColumnType type, Aggregate... aggregates) {
        return new ValueSpec("v", type, Arrays.asList(aggregates));
    }
}
