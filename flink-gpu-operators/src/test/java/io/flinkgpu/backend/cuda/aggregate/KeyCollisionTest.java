package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.CudaSmokeTest;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.AggregationAnswer;
import io.flinkgpu.testkit.AggregationInput;

import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Keys whose hashes are the same, all of them or many, cost time and nothing else.
 *
 * <p>Covers: CudaAggregation, AggregateArgs.
 */
class KeyCollisionTest {

    private static final long SEED = 20_261_121;
    private static final int ROWS = 3000;

    private interface Compiler {
        CompiledProgram<GroupedBatch> compile(AggregateArgs args) throws BackendException;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xff})
    void emulated(int hashMask) throws Exception {
        try (EmulatedBackend backend = new EmulatedBackend()) {
            check(backend.allocator(), backend::compile, hashMask);
        }
    }

    @Tag("gpu")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xff})
    void onTheGpu(int hashMask) throws Exception {
        try (CudaBackend backend = CudaSmokeTest.openOrSkip()) {
            check(
                    backend.allocator(),
                    args -> new CudaAggregation(backend.device(), backend.memory(), args),
                    hashMask);
        }
    }

    private static void check(BufferAllocator allocator, Compiler compiler, int hashMask)
            throws Exception {
        for (ColumnType kind : List.of(ColumnType.INT, ColumnType.BYTES)) {
            AggregationInput input = input(kind);
            AggregateArgs args = new AggregateArgs(input.plan(), SEED, SEED, hashMask);
            AggregationAnswer actual = AggregationAnswer.empty(input);
            try (CompiledProgram<GroupedBatch> program = compiler.compile(args);
                    ColumnBatch batch = input.batch(allocator, 0, ROWS);
                    GroupedBatch result = program.submit(batch).await()) {
                actual.add(input, 0, result);
            }
            actual.assertEquals(AggregationAnswer.expected(input), kind + ", seed=" + SEED);
        }
    }

    private static AggregationInput input(ColumnType kind) {
        Random random = new Random(SEED);
        ValueSpec value = new ValueSpec("", ColumnType.LONG, List.of(Aggregate.values()));
        AggregationInput input = new AggregationInput(new AggregatePlan(kind, List.of(value)));
        for (int row = 0; row < ROWS; row++) {
            int key = random.nextInt(ROWS / 2);
            byte[] bytes = ("k" + key).getBytes(StandardCharsets.UTF_8);
            input.add(
                    kind == ColumnType.INT ? (Object) key : bytes,
                    random.nextInt(2),
                    random.nextLong());
        }
        return input;
    }
}
