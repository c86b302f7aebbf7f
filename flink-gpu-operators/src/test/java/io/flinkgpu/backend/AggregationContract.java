package io.flinkgpu.backend;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.oracle.AggregationAnswer;
import io.flinkgpu.oracle.AggregationInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every backend does with an aggregation. Answers are compared with the oracle's, group for group.
 * After each test the backend closes, which fails if it still holds memory.
 */
public abstract class AggregationContract extends BackendTester {

    private static final long SEED = Long.getLong("aggregation.seed", 20_261_121);

    private static final ValueSpec LONGS = value(ValueType.LONG, Aggregate.values());
    private static final ValueSpec DOUBLES = value(ValueType.DOUBLE, Aggregate.values());
    private static final AggregatePlan BY_ID =
            new AggregatePlan(KeyKind.ID, List.of(LONGS, DOUBLES));
    private static final AggregatePlan BY_BYTES =
            new AggregatePlan(KeyKind.BYTES, List.of(LONGS, DOUBLES));

    private final Random random = new Random(SEED);

    @ParameterizedTest
    @EnumSource(KeyKind.class)
    void aBatchMayHaveNoRows(KeyKind keyKind) throws Exception {
        check(new AggregationInput(new AggregatePlan(keyKind, List.of(LONGS, DOUBLES))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 31, 32, 33, 255, 256, 257, 1000, 70_000})
    void anyNumberOfRows(int rows) throws Exception {
        check(usual(BY_ID, rows, 1 + rows / 7, 3));
        check(usual(BY_BYTES, rows, 1 + rows / 7, 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 500, 5000, 50_000})
    void anyNumberOfGroups(int keys) throws Exception {
        check(usual(BY_ID, 50_000, keys, 1));
        check(usual(BY_BYTES, 20_000, keys, 1));
        check(usual(BY_ID, 20_000, keys, 40));
    }

    @Test
    void everyRowItsOwnGroup() throws Exception {
        AggregationInput ids = new AggregationInput(BY_ID);
        AggregationInput slices = new AggregationInput(BY_ID);
        AggregationInput bytes = new AggregationInput(BY_BYTES);
        for (int row = 0; row < 70_000; row++) {
            ids.add(row, 7, (long) row, row / 8.0);
            slices.add(7, 1000L * row, (long) row, row / 8.0);
            bytes.add(ascii("key-" + row), 7, (long) row, row / 8.0);
        }
        check(ids);
        check(slices);
        check(bytes);
    }

    @Test
    void nearlyAllRowsOfOneKey() throws Exception {
        AggregationInput ids = new AggregationInput(BY_ID);
        AggregationInput bytes = new AggregationInput(BY_BYTES);
        for (int row = 0; row < 70_000; row++) {
            int key = random.nextInt(100) == 0 ? random.nextInt(1000) : 7;
            ids.add(key, 0, random.nextLong(), random.nextGaussian());
            bytes.add(ascii("k" + key), 0, random.nextLong(), random.nextGaussian());
        }
        check(ids);
        check(bytes);
    }

    @Test
    void slicesMayBeAnyNumber() throws Exception {
        long[] slices = {
            0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE + 1, 1L << 32, -(1L << 32)
        };
        AggregationInput ids = new AggregationInput(BY_ID);
        AggregationInput bytes = new AggregationInput(BY_BYTES);
        for (int row = 0; row < 5000; row++) {
            long slice = slices[random.nextInt(slices.length)];
            ids.add(random.nextInt(4), slice, random.nextLong(), random.nextGaussian());
            bytes.add(
                    ascii("k" + random.nextInt(4)),
                    slice,
                    random.nextLong(),
                    random.nextGaussian());
        }
        check(ids);
        check(bytes);
    }

    @Test
    void keyIdsMayBeSparseAndLarge() throws Exception {
        AggregationInput input = new AggregationInput(BY_ID);
        int[] ids = {0, 1, Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 1 << 30, 1 << 16, 65_537};
        for (int row = 0; row < 10_000; row++) {
            int id =
                    row % 3 == 0
                            ? ids[random.nextInt(ids.length)]
                            : random.nextInt(100) * 21_474_836;
            input.add(id, random.nextInt(2), random.nextLong(), random.nextGaussian());
        }
        check(input);
    }

    @Test
    void keyBytesMayBeAnything() throws Exception {
        List<byte[]> keys = new ArrayList<>();
        for (int length = 0; length <= 40; length++) {
            byte[] key = new byte[length];
            keys.add(key);
            for (int at : new int[] {0, length / 2, length - 1}) {
                if (length > 0) {
                    byte[] other = key.clone();
                    other[at] = (byte) (1 + random.nextInt(255));
                    keys.add(other);
                }
            }
        }
        keys.add(utf8("ключ-键-🔑".repeat(7)));
        keys.add(utf8("ключ-键-🔑".repeat(7) + "x"));
        keys.add(new byte[100_000]);
        byte[] longKey = new byte[100_000];
        longKey[99_999] = 1;
        keys.add(longKey);
        AggregationInput input = new AggregationInput(BY_BYTES);
        for (int round = 0; round < 5; round++) {
            for (byte[] key : keys) {
                input.add(key, round / 2, random.nextLong(), random.nextGaussian());
            }
        }
        check(input);
    }

    @Test
    void keysThatDifferInTheirLastByte() throws Exception {
        AggregationInput input = new AggregationInput(BY_BYTES);
        for (int row = 0; row < 20_000; row++) {
            byte[] key = ascii("the same beginning of a key ............");
            key[key.length - 1] = (byte) random.nextInt(256);
            key[key.length - 2] = (byte) random.nextInt(40);
            input.add(key, 0, random.nextLong(), random.nextGaussian());
        }
        check(input);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50, 99, 100})
    void nullsAreSkipped(int percent) throws Exception {
        AggregationInput input = new AggregationInput(BY_ID);
        for (int row = 0; row < 3001; row++) {
            Long integer = random.nextInt(100) < percent ? null : (Long) random.nextLong();
            Double real = random.nextInt(100) < percent ? null : (Double) random.nextGaussian();
            input.add(random.nextInt(20), 0, integer, real);
        }
        check(input);
        checkSlices(input);
    }

    @Test
    void integersAtTheirLimits() throws Exception {
        long[] limits = {
            Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1, 1L << 32, (1L << 32) - 1, -(1L << 32)
        };
        AggregationInput input =
                new AggregationInput(new AggregatePlan(KeyKind.ID, List.of(LONGS)));
        for (int row = 0; row < 50_000; row++) {
            int key = random.nextInt(4);
            long number =
                    key == 0
                            ? Long.MAX_VALUE
                            : key == 1 ? Long.MIN_VALUE : limits[random.nextInt(limits.length)];
            input.add(key, 0, number);
        }
        check(input);
    }

    @Test
    void doublesOfEveryKind() throws Exception {
        double[] kinds = {
            0.0,
            -0.0,
            1,
            -1,
            0.1,
            1e308,
            -1e308,
            1e-308,
            -1e-308,
            Double.MIN_VALUE,
            -Double.MIN_VALUE,
            Double.MIN_NORMAL,
            -Double.MIN_NORMAL,
            Double.MAX_VALUE,
            -Double.MAX_VALUE,
            0x1p53,
            0x1p53 + 2,
            0x1p53 - 1,
            -0x1p53,
            0x1p31,
            0x1p32,
            0x1p-32,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.longBitsToDouble(0xfff8_0000_dead_beefL),
            Double.longBitsToDouble(-1)
        };
        for (double kind : kinds) {
            check(doubles(40, 2, () -> kind));
        }
        check(doubles(5000, 50, () -> kinds[random.nextInt(kinds.length)]));
        check(doubles(5000, 3000, () -> kinds[random.nextInt(kinds.length)]));
        check(doubles(5000, 3, () -> kinds[random.nextInt(kinds.length - 5)]));
    }

    @Test
    void doublesOfRandomExponents() throws Exception {
        check(doubles(20_000, 5, () -> Double.longBitsToDouble(random.nextLong())));
        check(doubles(3000, 2000, () -> Double.longBitsToDouble(random.nextLong())));
        for (int round = 0; round < 50; round++) {
            int least = random.nextInt(2046);
            int width = 1 + random.nextInt(Math.min(80, 2047 - least));
            check(
                    doubles(
                            200,
                            10,
                            () -> {
                                long exponent = least + random.nextInt(width);
                                long sign = random.nextLong() & Long.MIN_VALUE;
                                long bits = sign | exponent << 52 | random.nextLong() >>> 12;
                                return Double.longBitsToDouble(bits);
                            }));
        }
    }

    @Test
    void everyBinFillsUpAlike() throws Exception {
        // All ones in the fraction: each of the parts is as large as it can be.
        for (int exponent : new int[] {0, 1, 12, 32, 33, 44, 1023, 2045, 2046}) {
            double number = Double.longBitsToDouble((long) exponent << 52 | -1L >>> 12);
            check(doubles(70_000, 1, () -> number));
            check(doubles(70_000, 1, () -> -number));
        }
    }

    @Test
    void whatIsNeededOfSeveralValues() throws Exception {
        Aggregate[][] needs = {
            {Aggregate.COUNT},
            {Aggregate.MIN},
            {Aggregate.MAX, Aggregate.COUNT},
            {Aggregate.SUM},
            {Aggregate.MEAN},
            {Aggregate.MIN, Aggregate.SUM},
        };
        List<ValueSpec> values = new ArrayList<>();
        for (Aggregate[] need : needs) {
            values.add(value(ValueType.DOUBLE, need));
            values.add(value(ValueType.decimal(18, 2), need));
            values.add(value(ValueType.FLOAT, need));
            values.add(value(ValueType.INT, need));
        }
        AggregationInput input = new AggregationInput(new AggregatePlan(KeyKind.ID, values));
        for (int row = 0; row < 2000; row++) {
            Number[] numbers = new Number[values.size()];
            for (int i = 0; i < numbers.length; i++) {
                boolean floating = values.get(i).type().isFloating();
                if (random.nextInt(10) > 0) {
                    numbers[i] = floating ? (Number) (double) random.nextFloat() : random.nextInt();
                    numbers[i] = floating ? numbers[i] : (Number) numbers[i].longValue();
                }
            }
            input.add(random.nextInt(9), random.nextInt(3), numbers);
        }
        check(input);
    }

    @Test
    void answersDoNotDependOnBatchCuts() throws Exception {
        AggregationInput input = usual(BY_BYTES, 3000, 17, 3);
        AggregationAnswer expected = AggregationAnswer.expected(input);
        for (int rowsPerBatch : new int[] {1, 7, 64, 999, 2999, 3000}) {
            AggregationAnswer actual = run(input, rowsPerBatch);
            actual.assertEquals(expected, "rowsPerBatch=" + rowsPerBatch + ", seed=" + SEED);
        }
    }

    @Test
    void partsOfABatchCanBeAggregated() throws Exception {
        checkSlices(usual(BY_ID, 1003, 17, 3));
        checkSlices(usual(BY_BYTES, 1003, 17, 3));
    }

    @Test
    void severalProgramsAndBatchesAtOnce() throws Exception {
        List<AggregationInput> inputs = new ArrayList<>();
        List<ColumnBatch> batches = new ArrayList<>();
        List<Submission<GroupedBatch>> submissions = new ArrayList<>();
        try (CompiledProgram<GroupedBatch> byId = backend.compile(BY_ID);
                CompiledProgram<GroupedBatch> byBytes = backend.compile(BY_BYTES)) {
            for (int i = 0; i < 6; i++) {
                AggregatePlan plan = i % 3 == 0 ? BY_BYTES : BY_ID;
                AggregationInput input = usual(plan, 500 * (6 - i), 1 + 40 * i, 2);
                inputs.add(input);
                batches.add(input.batch(backend.allocator(), 0, input.rows()));
                submissions.add((i % 3 == 0 ? byBytes : byId).submit(batches.get(i)));
            }
            for (int i = 0; i < 6; i++) {
                try (ColumnBatch batch = batches.get(i);
                        GroupedBatch result = submissions.get(i).await()) {
                    assertThat(batch.rows()).isEqualTo(inputs.get(i).rows());
                    assertAnswer(inputs.get(i), result);
                }
            }
        }
    }

    @Test
    void batchesOfVerySizesOneAfterTheOther() throws Exception {
        try (CompiledProgram<GroupedBatch> program = backend.compile(BY_ID)) {
            for (int rows : new int[] {1, 50_000, 3, 0, 20_000, 64, 65, 1, 0}) {
                AggregationInput input = usual(BY_ID, rows, 1 + rows, 2);
                try (ColumnBatch batch = input.batch(backend.allocator(), 0, rows);
                        GroupedBatch result = program.submit(batch).await()) {
                    assertAnswer(input, result);
                }
            }
        }
    }

    @Test
    void theInputIsNotWrittenToAndTheResultOutlivesIt() throws Exception {
        AggregationInput input = usual(BY_ID, 1000, 10, 2);
        GroupedBatch result;
        try (CompiledProgram<GroupedBatch> program = backend.compile(BY_ID);
                ColumnBatch batch = input.batch(backend.allocator(), 0, input.rows())) {
            program.submit(batch).await().close();
            result = program.submit(batch).await();
        }
        try (result) {
            assertAnswer(input, result);
            assertThat(result.deviceNanos()).isPositive();
        }
    }

    private void check(AggregationInput input) throws Exception {
        AggregationAnswer expected = AggregationAnswer.expected(input);
        run(input, Math.max(1, input.rows())).assertEquals(expected, "seed=" + SEED);
    }

    /** Aggregates two parts of one batch, cut so that bitmaps do not start at whole bytes. */
    private void checkSlices(AggregationInput input) throws Exception {
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

    private static void assertAnswer(AggregationInput input, GroupedBatch result) {
        AggregationAnswer actual = AggregationAnswer.empty(input);
        actual.add(input, 0, result);
        actual.assertEquals(AggregationAnswer.expected(input), "seed=" + SEED);
    }

    /** Aggregates in batches, several of them under way at once, and merges the answers. */
    private AggregationAnswer run(AggregationInput input, int rowsPerBatch) throws Exception {
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

    private AggregationInput usual(AggregatePlan plan, int rows, int keys, int slices) {
        IntFunction<Object> key =
                plan.key() == KeyKind.ID ? i -> i : i -> ascii("device-" + Integer.toHexString(i));
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

    private AggregationInput doubles(int rows, int keys, Supplier<Double> next) {
        AggregationInput input =
                new AggregationInput(new AggregatePlan(KeyKind.ID, List.of(DOUBLES)));
        for (int row = 0; row < rows; row++) {
            input.add(random.nextInt(keys), 0, next.get());
        }
        return input;
    }

    private static ValueSpec value(ValueType type, Aggregate... aggregates) {
        return new ValueSpec("v", type, Arrays.asList(aggregates));
    }
}
