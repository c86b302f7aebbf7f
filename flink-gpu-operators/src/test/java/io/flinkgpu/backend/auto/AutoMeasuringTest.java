package io.flinkgpu.backend.auto;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long {@code auto} measures, and for whom.
 *
 * <p>Covers: AutoBackend.
 */
class AutoMeasuringTest extends MadeUpDevices {

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "16, 1, 16", "16, 2, 8", "16, 3, 6", "1, 8, 1", "16, 0, 4", "3, 0, 1"})
    void subtasksAreSpreadEvenlyOverDevices(int subtasks, int devices, int sharers) {
        OpenRequest request = new OpenRequest(LIMIT_BYTES, 0, subtasks, devices, new byte[0]);
        assertThat(request.sharers(4)).isEqualTo(sharers);
    }

    @Test
    void theOthersOfAnOperatorChooseAsItsFirstSubtaskMeasured() throws BackendException {
        try (Backend first = open(gpu, 4, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = first.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            cpuCalls.clear();
            gpuCalls.clear();
            try (Backend second = open(gpu, 4, BatchPolicy.DEFAULT);
                    CompiledProgram<RedactedBatch> again = second.compile(new RedactPlan(RULES))) {
                assertThat(again).isNotNull();
                assertThat(second.placement().toString()).isEqualTo("gpu");
                assertThat(gpuCalls).containsExactly(Call.OPEN, Call.COMPILE);
                assertThat(cpuCalls).isEmpty();
            }
        }
        assertThat(announced).hasSize(1);
    }

    @Test
    void whereTheCpuIsFasterTheOthersOpenNoGpu() throws BackendException {
        try (Backend together = open(gpu, 1, SMALL);
                Backend first = open(gpu, 1, SMALL);
                CompiledProgram<RedactedBatch> compiled = first.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            gpuCalls.clear();
            cpuCalls.clear();
            try (Backend second = open(gpu, 1, SMALL);
                    CompiledProgram<RedactedBatch> again = second.compile(new RedactPlan(RULES))) {
                assertThat(again).isNotNull();
                assertThat(second.placement().toString()).isEqualTo("core");
                assertThat(gpuCalls).isEmpty();
                assertThat(cpuCalls).containsExactly(Call.OPEN, Call.COMPILE);
            }
            try (CompiledProgram<RedactedBatch> again = together.compile(new RedactPlan(RULES))) {
                assertThat(again).isNotNull();
                assertThat(together.placement().toString()).isEqualTo("core");
                assertThat(gpuCalls).containsExactly(Call.CLOSE);
            }
        }
        assertThat(announced).hasSize(1);
    }

    @Test
    void anOperatorThatOpensAgainMeasuresAgain() throws BackendException {
        assertThat(chosenFor(10)).isEqualTo("gpu");
        gpuCalls.clear();
        assertThat(chosenFor(10)).isEqualTo("gpu");
        assertThat(gpuCalls).contains(Call.SUBMIT);
        assertThat(announced).hasSize(2);
    }

    @Test
    void aSubtaskWhoseGpuFailsLeavesTheMeasuringToTheNext() throws BackendException {
        BackendFactory failing =
                scripted(
                        "gpu",
                        (call, rows) -> {
                            if (call == Call.COMPILE) {
                                throw new BackendException("no room");
                            }
                        });
        try (Backend first = open(failing, 10, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> onCore = first.compile(new RedactPlan(RULES));
                Backend second = open(gpu, 4, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> onGpu = second.compile(new RedactPlan(RULES))) {
            assertThat(onCore).isNotSameAs(onGpu);
            assertThat(first.placement().toString()).isEqualTo("core");
            assertThat(second.placement().toString()).isEqualTo("gpu");
        }
        assertThat(announced).hasSize(2);
    }

    @Test
    void aProgramThatIsBeingCompiledHasTimeToGetFaster() throws BackendException {
        compilingMillis = 60;
        BackendFactory warmingUp =
                device(
                        "core",
                        cpuCalls,
                        rows -> rows * (clockNanos.get() < 60_000_000 ? 5_000 : 300));
        BackendFactory slowGpu = device("gpu", gpuCalls, rows -> 400L * rows);
        assertThat(chosenOf(slowGpu, warmingUp)).isEqualTo("core");
    }

    /** In a virtual machine that starts, the code that drives a GPU is interpreted, too. */
    @Test
    void aGpuThatIsBehindIsMeasuredAgainWhileItGetsFaster() throws BackendException {
        BackendFactory warmingUp =
                device("gpu", gpuCalls, rows -> rows * (cpuCalls.isEmpty() ? 30_000 : 2_000));
        BackendFactory slowCore = device("core", cpuCalls, rows -> 20_000L * rows);
        assertThat(chosenOf(warmingUp, slowCore)).isEqualTo("gpu");
        assertThat(announced).hasSize(1);
        assertThat(clockNanos).hasValueLessThan(100_000_000);
    }

    @Test
    void aGpuThatKeepsGettingFasterButStaysBehindIsGivenUp() throws BackendException {
        BackendFactory warmingUp =
                device(
                        "gpu",
                        gpuCalls,
                        rows -> Math.max(100_000, 10_000_000 - 150_000 * submitted()));
        assertThat(chosenOf(warmingUp, core)).isEqualTo("core");
        int batchesOfALook = 6;
        assertThat(submitted()).isEqualTo(6 * batchesOfALook);
    }

    private long submitted() {
        return gpuCalls.stream().filter(Call.SUBMIT::equals).count();
    }

    @Test
    void aProgramThatIsNotCompiledInTimeIsTakenToGetThreeTimesAsFast() throws BackendException {
        compilingMillis = Long.MAX_VALUE;
        BackendFactory slowCore = device("core", cpuCalls, rows -> 30_000L * rows);
        assertThat(chosenOf(device("gpu", gpuCalls, rows -> 11_000L * rows), slowCore))
                .isEqualTo("core");
        assertThat(clockNanos).hasValueBetween(110_000_000, 130_000_000);
        assertThat(chosenOf(device("gpu", gpuCalls, rows -> 9_000L * rows), slowCore))
                .isEqualTo("gpu");
        assertThat(announced.get(0))
                .matches(
                        ".*, a core \\d MB/s, perhaps \\d once its code is compiled; measured in 1\\d\\d\\.\\d ms");
    }

    @Test
    void aProgramThatRunsOftenEnoughIsCompiledWhateverElseIs() throws BackendException {
        compilingMillis = Long.MAX_VALUE;
        assertThat(chosenOf(device("gpu", gpuCalls, rows -> 400L * rows), core)).isEqualTo("gpu");
        assertThat(clockNanos).hasValueLessThan(20_000_000);
    }

    @Test
    void aProgramThatIsCompiledGetsNoFaster() throws BackendException {
        BackendFactory slowCore = device("core", cpuCalls, rows -> 20_000L * rows);
        assertThat(chosenOf(device("gpu", gpuCalls, rows -> 15_000L * rows), slowCore))
                .isEqualTo("gpu");
        assertThat(announced.get(0)).matches(".*, a core \\d MB/s; measured in [45]\\d\\.\\d ms");
        assertThat(clockNanos).hasValueLessThan(60_000_000);
    }

    @Test
    void nothingIsMeasuredWhereThePlanKnowsThatACoreIsAhead() throws BackendException {
        AggregatePlan plan =
                new AggregatePlan(
                        ColumnType.INT,
                        List.of(new ValueSpec("", ColumnType.DOUBLE, List.of(Aggregate.MEAN))));
        try (Backend backend = open(gpu, 1, BatchPolicy.DEFAULT);
                CompiledProgram<GroupedBatch> compiled = backend.compile(plan)) {
            assertThat(compiled).isNotNull();
            assertThat(backend.placement().toString()).isEqualTo("core");
        }
        assertThat(gpuCalls).doesNotContain(Call.COMPILE, Call.SUBMIT);
        assertThat(cpuCalls).doesNotContain(Call.SUBMIT);
        assertThat(announced)
                .containsExactly(
                        "Aggregation runs on core: a core takes its rows as they come, for a GPU they"
                                + " have to be batches");
    }

    @Test
    void aGlanceIsEnoughWhereTheGpuIsFarAhead() throws BackendException {
        assertThat(chosenOf(device("gpu", gpuCalls, rows -> 15L * rows), core)).isEqualTo("gpu");
        assertThat(clockNanos).hasValueBetween(5_000_000, 6_000_000);
    }
}
