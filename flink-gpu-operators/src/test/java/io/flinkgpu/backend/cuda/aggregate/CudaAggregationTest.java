package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.CudaSmokeTest;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.testkit.AggregationInput;
import io.flinkgpu.testkit.SameGroups;
import io.flinkgpu.testkit.TestRequests;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the contract's batches are too small for.
 *
 * <p>Covers: CudaAggregation.
 */
@Tag("gpu")
class CudaAggregationTest {

    private static final long SEED = 20_261_121;
    private static final ValueSpec DOUBLES =
            new ValueSpec("", ColumnType.DOUBLE, List.of(Aggregate.values()));

    @ParameterizedTest
    @CsvSource({"1, 0", "413, 0", "41000, 90", "1000000, 0"})
    void aMillionRows(int keys, int hotPercent) throws Exception {
        int rows = 1_000_003;
        Random random = new Random(SEED);
        AggregatePlan plan = new AggregatePlan(ColumnType.INT, List.of(DOUBLES));
        AggregationInput input = new AggregationInput(plan);
        for (int row = 0; row < rows; row++) {
            int key = random.nextInt(100) < hotPercent ? 7 : random.nextInt(keys);
            input.add(key, 0, random.nextInt(10) == 0 ? null : (Double) random.nextGaussian());
        }
        try (CudaBackend gpu = CudaSmokeTest.openOrSkip();
                CpuBackend cpu = CpuBackend.open(TestRequests.of(1L << 30));
                CompiledProgram<GroupedBatch> onGpu = gpu.compile(plan);
                CompiledProgram<GroupedBatch> onCpu = cpu.compile(plan);
                ColumnBatch pinned = input.batch(gpu.allocator(), 0, rows);
                ColumnBatch pageable = input.batch(cpu.allocator(), 0, rows);
                GroupedBatch expected = onCpu.submit(pageable).await()) {
            for (int run = 0; run < 3; run++) {
                try (GroupedBatch actual = onGpu.submit(pinned).await()) {
                    SameGroups.check(plan, actual, expected);
                }
            }
        }
    }

    @Test
    void aResultThatDoesNotFitIsRefusedAndTheProgramGoesOn() throws Exception {
        AggregatePlan plan = new AggregatePlan(ColumnType.INT, List.of(DOUBLES));
        AggregationInput input = new AggregationInput(plan);
        for (int row = 0; row < 500_000; row++) {
            // Of all exponents: 66 bins a group.
            input.add(row, 0, Double.longBitsToDouble((row % 2046L) << 52 | row));
        }
        try (CudaBackend gpu = CudaSmokeTest.openOrSkip();
                CompiledProgram<GroupedBatch> program = gpu.compile(plan);
                ColumnBatch batch = input.batch(gpu.allocator(), 0, input.rows())) {
            assertThatThrownBy(() -> program.submit(batch).await())
                    .isInstanceOf(DeviceOutOfMemoryException.class)
                    .hasMessageContaining("memory limit");
            try (ColumnBatch part = batch.slice(0, 1000);
                    GroupedBatch result = program.submit(part).await()) {
                assertThat(result.groups()).isEqualTo(1000);
            }
        }
    }
}
