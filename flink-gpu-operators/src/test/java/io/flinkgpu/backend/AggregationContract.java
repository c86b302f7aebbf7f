package io.flinkgpu.backend;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.AggregationAnswer;
import io.flinkgpu.testkit.AggregationInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every backend does with an aggregation. Answers are compared with the oracle's, group for group.
 * After each test the backend closes, which fails if it still holds memory.
 *
 * <p>Covers: AggregatePlan.
 */
public abstract class AggregationContract extends AggregatedNumbersContract {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBatchMayHaveNoRows(boolean byId) throws Exception {
        ColumnType key = byId ? ColumnType.INT : ColumnType.BYTES;
        check(new AggregationInput(new AggregatePlan(key, List.of(LONGS, DOUBLES))));
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
            if (row % 4 == 0) {
                slices.add(7, 1000L * row, (long) row, row / 8.0);
                bytes.add(ascii("key-" + row), 7, (long) row, row / 8.0);
            }
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

    @Test
    void batchesAsTheirBuilderMakesThem() throws Exception {
        AggregationInput input = usual(BY_ID, 4001, 50, 2);
        for (int row = 0; row < 100; row++) {
            input.add(row, 0, null, row / 4.0);
        }
        try (CompiledProgram<GroupedBatch> program = backend.compile(BY_ID);
                ColumnBatch batch = input.built(backend.allocator());
                GroupedBatch result = program.submit(batch).await()) {
            assertAnswer(input, result);
        }
    }
}
