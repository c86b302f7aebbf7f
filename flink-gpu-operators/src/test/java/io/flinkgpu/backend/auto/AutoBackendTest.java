package io.flinkgpu.backend.auto;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.expression.Expressions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.LineFindingBackend;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What {@code auto} takes, on a GPU and a CPU made up for the test.
 *
 * <p>Covers: AutoBackend, BackendTrial, Calibration, OpCode.
 */
class AutoBackendTest extends MadeUpDevices {

    @Test
    void takesAGpuThatIsFaster() throws BackendException {
        try (Backend backend = open(gpu, 4, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            assertThat(backend.placement().toString()).isEqualTo("gpu");
            assertThat(backend.allocator().getAllocatedMemory()).isZero();
            assertThat(cpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
            assertThat(gpuCalls).containsOnlyOnce(Call.COMPILE);
            assertThat(gpuCalls).doesNotContain(Call.CLOSE_PROGRAM, Call.CLOSE);
        }
        assertThat(announced)
                .singleElement()
                .asString()
                .matches(
                        "Redaction runs on gpu: the GPU does \\d{4} MB/s for each of up to 4"
                                + " subtasks in batches of \\d{7} bytes, a core 1\\d\\d MB/s,"
                                + " perhaps \\d{3} once its code is compiled; measured in \\d+\\.\\d ms");
        assertThat(gpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
    }

    @Test
    void closesTheWinnersProgramIfTheLoserDoesNotClose() throws BackendException {
        BackendFactory stuck =
                scripted(
                        "stuck",
                        (call, rows) -> {
                            if (call == Call.CLOSE_PROGRAM) {
                                throw new IllegalStateException("stuck");
                            }
                            clockNanos.addAndGet(call == Call.AWAIT ? 500L * rows : 0);
                        });
        try (Backend backend = open(gpu, stuck, 4, BatchPolicy.DEFAULT)) {
            assertThatThrownBy(() -> backend.compile(new RedactPlan(RULES))).hasMessage("stuck");
            assertThat(gpuCalls).endsWith(Call.CLOSE_PROGRAM);
        }
        assertThat(gpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
    }

    @Test
    void noCoreIsMeasuredAgainstAGpuThatNoneCanMatch() throws BackendException {
        try (Backend backend = open(gpu, 1, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            assertThat(backend.placement().toString()).isEqualTo("gpu");
        }
        assertThat(cpuCalls).isEmpty();
        assertThat(announced)
                .singleElement()
                .asString()
                .matches(
                        ".* does \\d{5} MB/s for .*, a core never as much; measured in \\d+\\.\\d ms");
    }

    @Test
    void takesTheCpuForBatchesTooSmallForAGpu() throws BackendException {
        try (Backend backend = open(gpu, 1, SMALL);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            assertThat(backend.placement().toString()).isEqualTo("core");
            assertThat(gpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
            assertThat(cpuCalls).containsOnlyOnce(Call.OPEN, Call.COMPILE);
            assertThat(cpuCalls).doesNotContain(Call.CLOSE_PROGRAM, Call.CLOSE);
            assertThat(backend.allocator().getAllocatedMemory()).isZero();
        }
        assertThat(cpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
        assertThat(announced)
                .singleElement()
                .asString()
                .matches(
                        "Redaction runs on core: the GPU does \\d\\d MB/s for each of up to 1"
                                + " subtasks in batches of 40\\d\\d bytes, a core at least 1\\d\\d"
                                + " MB/s; measured in \\d+\\.\\d ms");
    }

    @Test
    void findsLinesIfWhatItTookDoes() throws BackendException {
        BackendFactory finding = request -> new LineFindingBackend(gpu.open(request));
        try (Backend backend = open(finding, 4, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            assertThat(compiled.findsLines()).isTrue();
        }
        try (Backend backend = open(finding, 1, SMALL);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            assertThat(compiled.findsLines()).isFalse();
        }
    }

    /** What a search takes is up to its documents, which are not there yet. */
    @Test
    void aSearchIsOnAGpuThatOpensAndIsNotMeasured() throws BackendException {
        SearchPlan plan = new SearchPlan(new CorpusPlan("c", 1 << 20), Similarity.MAX);
        try (Backend backend = open(gpu, 4, BatchPolicy.DEFAULT);
                CompiledProgram<SearchedBatch> compiled = backend.compile(plan)) {
            assertThat(compiled.residents()).hasSize(1);
            assertThat(backend.placement().toString()).isEqualTo("gpu");
        }
        assertThat(gpuCalls)
                .containsExactly(Call.OPEN, Call.COMPILE, Call.CLOSE_PROGRAM, Call.CLOSE);
        assertThat(cpuCalls).isEmpty();
        assertThat(announced)
                .containsExactly("Set search runs on gpu: a GPU is faster at any size");
    }

    @Test
    void aSearchThatAGpuHasNoRoomForIsOnTheCpu() throws BackendException {
        SearchPlan plan = new SearchPlan(new CorpusPlan("c", 1 << 20), Similarity.MAX);
        BackendFactory full =
                scripted(
                        "gpu",
                        (call, rows) -> {
                            if (call == Call.COMPILE) {
                                throw new DeviceOutOfMemoryException("no room");
                            }
                        });
        try (Backend backend = open(full, 1, BatchPolicy.DEFAULT);
                CompiledProgram<SearchedBatch> compiled = backend.compile(plan)) {
            assertThat(compiled).isNotNull();
            assertThat(backend.placement().toString()).isEqualTo("core");
        }
        assertThat(warned).containsExactly("Set search runs on core, not on a GPU: no room");
    }

    @Test
    void aGpuIsSharedAndACoreIsNot() throws BackendException {
        assertThat(chosenFor(100)).isEqualTo("gpu");
        assertThat(chosenFor(1000)).isEqualTo("core");
    }

    @Test
    void takesTheCpuWhenTheGpuHasNoRoomForTheRules() throws BackendException {
        takesTheCpuWhenTheGpuFailsAt(Call.COMPILE);
        assertThat(gpuCalls).containsExactly(Call.OPEN, Call.COMPILE, Call.CLOSE);
    }

    @Test
    void takesTheCpuWhenTheGpuHasNoRoomForABatch() throws BackendException {
        takesTheCpuWhenTheGpuFailsAt(Call.SUBMIT);
        assertThat(gpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
    }

    private void takesTheCpuWhenTheGpuFailsAt(Call failing) throws BackendException {
        BackendFactory failingGpu =
                scripted(
                        "gpu",
                        (call, rows) -> {
                            gpuCalls.add(call);
                            if (call == failing) {
                                throw new DeviceOutOfMemoryException("no room");
                            }
                        });
        try (Backend backend = open(failingGpu, 1, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            assertThat(backend.placement().toString()).isEqualTo("core");
            assertThat(backend.allocator().getLimit()).isEqualTo(LIMIT_BYTES);
        }
        assertThat(announced).containsExactly("Redaction runs on core, not on a GPU: no room");
        assertThat(warned).isEqualTo(announced);
    }

    @Test
    void takesTheCpuWhenNoGpuOpens() throws BackendException {
        BackendFactory noDriver =
                request -> {
                    throw new UnsatisfiedLinkError("no driver");
                };
        try (Backend backend = open(noDriver, 1, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            assertThat(cpuCalls).containsExactly(Call.OPEN, Call.COMPILE);
        }
        assertThat(announced).containsExactly("Redaction runs on core, not on a GPU: no driver");
        assertThat(warned).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"OPEN", "COMPILE", "SUBMIT", "AWAIT"})
    void aGpuThatIsLostIsNotReplacedByTheCpu(Call failing) {
        FatalDeviceException lost = new FatalDeviceException("the context is lost");
        BackendFactory losing =
                scripted(
                        "gpu",
                        (call, rows) -> {
                            if (call == failing) {
                                throw lost;
                            }
                        });
        assertThatThrownBy(
                        () -> {
                            try (Backend backend = open(losing, 1, BatchPolicy.DEFAULT)) {
                                backend.compile(new RedactPlan(RULES));
                            }
                        })
                .isSameAs(lost);
        assertThat(announced).isEmpty();
        assertThat(cpuCalls).doesNotContain(Call.OPEN);
    }

    @Test
    void recordsGoOneAtATimeOnTheCpuOnly() throws BackendException {
        Program program =
                ProgramCompiler.compile(
                        Map.of("t", ColumnType.TEXT), List.of(Expressions.col("t").trim()));
        assertThat(rowsOf(device("gpu", gpuCalls, rows -> 0), program)).isEmpty();
        BackendFactory noGpu =
                request -> {
                    throw new BackendException("no device");
                };
        assertThat(rowsOf(noGpu, program)).isPresent();
    }

    @Test
    void failsWhenTheCpuFailsAsWell() throws BackendException {
        BackendFactory noGpu =
                scripted(
                        "gpu",
                        (call, rows) -> {
                            gpuCalls.add(call);
                            if (call == Call.COMPILE) {
                                throw new BackendException("no room");
                            }
                        });
        BackendFactory noCpu =
                request -> {
                    throw new BackendException("no CPU");
                };
        try (Backend backend = open(noGpu, noCpu, 1, BatchPolicy.DEFAULT)) {
            assertThatThrownBy(() -> backend.compile(new RedactPlan(RULES))).hasMessage("no CPU");
        }
        assertThat(announced).isEmpty();
        assertThat(gpuCalls).containsExactly(Call.OPEN, Call.COMPILE, Call.CLOSE);
    }

    @Test
    void linesAreMeasuredToo() throws BackendException {
        LinePlan plan =
                new LinePlan(
                        Delimited.of(';').string("key").intNumber("n"),
                        0,
                        null,
                        List.of(1),
                        List.of(new ValueSpec("n", ColumnType.INT, List.of(Aggregate.SUM))));
        BackendFactory slowCore = device("core", cpuCalls, rows -> 300_000_000);
        try (Backend backend = open(gpu, slowCore, 4, BatchPolicy.DEFAULT);
                CompiledProgram<LineGroups> compiled = backend.compile(plan)) {
            assertThat(compiled).isNotNull();
            assertThat(backend.placement().toString()).isEqualTo("gpu");
        }
        assertThat(announced).singleElement().asString().startsWith("Aggregation of lines runs on");
        gpuCalls.clear();
        try (Backend backend = open(gpu, slowCore, 4, BatchPolicy.DEFAULT);
                CompiledProgram<LineGroups> compiled = backend.compile(plan.holdingGroups())) {
            assertThat(compiled).isNotNull();
            assertThat(gpuCalls)
                    .as("samples are not held")
                    .endsWith(Call.CLOSE_PROGRAM, Call.COMPILE);
        }
    }

    private Optional<RowProgram> rowsOf(BackendFactory gpuFactory, Program program)
            throws BackendException {
        try (Backend backend = open(gpuFactory, CpuBackend::open, 1, BatchPolicy.DEFAULT);
                CompiledProgram<TransformedBatch> compiled =
                        backend.compile(new TransformPlan(program))) {
            return compiled.rows();
        }
    }
}
