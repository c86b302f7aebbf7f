package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.api.expression.Expressions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.LineGroups;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What {@code auto} takes, on a GPU and a CPU made up for the test, whose batches take made-up times. */
class AutoBackendTest {

    private static final long LIMIT_BYTES = 64 << 20;
    private static final BatchPolicy SMALL = BatchPolicy.DEFAULT.withMaxBytes(4 << 10);
    private static final CompiledRules RULES =
            RuleCompiler.compile(RuleSet.of(Rule.of("a", "a", Action.label("b"))));

    private final AtomicLong clockNanos = new AtomicLong();
    private final SharedVerdicts verdicts = new SharedVerdicts();
    private final UUID operator = UUID.randomUUID();

    /** So long the virtual machine compiles, all the time. */
    private long compilingMillis;

    private final Calibration.Clock clock =
            new Calibration.Clock() {
                @Override
                public long nanoTime() {
                    return clockNanos.get();
                }

                @Override
                public long compilationMillis() {
                    return Math.min(compilingMillis, clockNanos.get() / 1_000_000);
                }
            };
    private final List<String> announced = new ArrayList<>();
    private final List<Call> gpuCalls = new ArrayList<>();
    private final List<Call> cpuCalls = new ArrayList<>();

    /** A GPU that takes 200 us for a batch, whatever its size. */
    private final BackendFactory gpu = device("gpu", gpuCalls, rows -> 200_000);

    /** A core that takes 500 ns for a line. */
    private final BackendFactory core = device("core", cpuCalls, rows -> 500 * rows);

    @Test
    void takesAGpuThatIsFaster() throws BackendException {
        try (Backend backend = open(gpu, 4, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("gpu");
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
                                + " perhaps \\d{3} once its code is compiled");
        assertThat(gpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
    }

    @Test
    void noCoreIsMeasuredAgainstAGpuThatNoneCanMatch() throws BackendException {
        try (Backend backend = open(gpu, 1, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("gpu");
        }
        assertThat(cpuCalls).isEmpty();
        assertThat(announced)
                .singleElement()
                .asString()
                .matches(".* does \\d{5} MB/s for .*, a core never as much");
    }

    @Test
    void takesTheCpuForBatchesTooSmallForAGpu() throws BackendException {
        try (Backend backend = open(gpu, 1, SMALL);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("core");
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
                                + " MB/s");
    }

    @Test
    void aGpuIsSharedAndACoreIsNot() throws BackendException {
        assertThat(chosenFor(100)).isEqualTo("gpu");
        assertThat(chosenFor(1000)).isEqualTo("core");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "16, 1, 16", "16, 2, 8", "16, 3, 6", "1, 8, 1", "16, 0, 4", "3, 0, 1"})
    void subtasksAreSpreadEvenlyOverDevices(int subtasks, int devices, int sharers)
            throws BackendException {
        AutoBackend.Subtask subtask =
                new AutoBackend.Subtask(operator, LIMIT_BYTES, 0, subtasks, devices, SMALL);
        try (Backend oneOfFour =
                new ForwardingBackend(CpuBackend.open(LIMIT_BYTES)) {
                    @Override
                    public int devices() {
                        return 4;
                    }
                }) {
            assertThat(subtask.sharers(oneOfFour)).isEqualTo(sharers);
        }
    }

    @Test
    void theOthersOfAnOperatorChooseAsItsFirstSubtaskMeasured() throws BackendException {
        try (Backend first = open(gpu, 4, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = first.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            cpuCalls.clear();
            gpuCalls.clear();
            try (Backend second = open(gpu, 4, BatchPolicy.DEFAULT);
                    CompiledProgram<RedactedBatch> again = second.compile(RULES, new byte[0])) {
                assertThat(again).isNotNull();
                assertThat(second.description()).isEqualTo("gpu");
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
                CompiledProgram<RedactedBatch> compiled = first.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            gpuCalls.clear();
            cpuCalls.clear();
            try (Backend second = open(gpu, 1, SMALL);
                    CompiledProgram<RedactedBatch> again = second.compile(RULES, new byte[0])) {
                assertThat(again).isNotNull();
                assertThat(second.description()).isEqualTo("core");
                assertThat(gpuCalls).isEmpty();
                assertThat(cpuCalls).containsExactly(Call.OPEN, Call.COMPILE);
            }
            try (CompiledProgram<RedactedBatch> again = together.compile(RULES, new byte[0])) {
                assertThat(again).isNotNull();
                assertThat(together.description()).isEqualTo("core");
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
                CompiledProgram<RedactedBatch> onCore = first.compile(RULES, new byte[0]);
                Backend second = open(gpu, 4, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> onGpu = second.compile(RULES, new byte[0])) {
            assertThat(onCore).isNotSameAs(onGpu);
            assertThat(first.description()).isEqualTo("core");
            assertThat(second.description()).isEqualTo("gpu");
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

    @Test
    void aProgramThatIsNotCompiledInTimeIsTakenToGetThreeTimesAsFast() throws BackendException {
        compilingMillis = Long.MAX_VALUE;
        BackendFactory slowCore = device("core", cpuCalls, rows -> 30_000L * rows);
        assertThat(chosenOf(device("gpu", gpuCalls, rows -> 11_000L * rows), slowCore))
                .isEqualTo("core");
        assertThat(clockNanos).hasValueBetween(100_000_000, 120_000_000);
        assertThat(chosenOf(device("gpu", gpuCalls, rows -> 9_000L * rows), slowCore))
                .isEqualTo("gpu");
        assertThat(announced.get(0))
                .matches(".*, a core \\d MB/s, perhaps \\d once its code is compiled");
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
        assertThat(announced.get(0)).matches(".*, a core \\d MB/s");
        assertThat(clockNanos).hasValueLessThan(60_000_000);
    }

    @Test
    void aGlanceIsEnoughWhereTheGpuIsFarAhead() throws BackendException {
        assertThat(chosenOf(device("gpu", gpuCalls, rows -> 15L * rows), core)).isEqualTo("gpu");
        assertThat(clockNanos).hasValueBetween(5_000_000, 6_000_000);
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
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("core");
            assertThat(backend.allocator().getLimit()).isEqualTo(LIMIT_BYTES);
        }
        assertThat(announced).containsExactly("Redaction runs on core, not on a GPU: no room");
    }

    @Test
    void takesTheCpuWhenNoGpuOpens() throws BackendException {
        BackendFactory noDriver =
                (limitBytes, slot) -> {
                    throw new UnsatisfiedLinkError("no driver");
                };
        try (Backend backend = open(noDriver, 1, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(cpuCalls).containsExactly(Call.OPEN, Call.COMPILE);
        }
        assertThat(announced).containsExactly("Redaction runs on core, not on a GPU: no driver");
    }

    @Test
    void recordsGoOneAtATimeOnTheCpuOnly() throws BackendException {
        Program program =
                ProgramCompiler.compile(
                        Map.of("t", ColumnType.TEXT), List.of(Expressions.col("t").trim()));
        assertThat(rowsOf(device("gpu", gpuCalls, rows -> 0), program)).isEmpty();
        BackendFactory noGpu =
                (limitBytes, slot) -> {
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
                (limitBytes, slot) -> {
                    throw new BackendException("no CPU");
                };
        try (Backend backend = open(noGpu, noCpu, 1, BatchPolicy.DEFAULT)) {
            assertThatThrownBy(() -> backend.compile(RULES, new byte[0])).hasMessage("no CPU");
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
                        List.of(new ValueSpec("n", ValueType.INT, List.of(Aggregate.SUM))));
        BackendFactory slowCore = device("core", cpuCalls, rows -> 300_000_000);
        try (Backend backend = open(gpu, slowCore, 1, BatchPolicy.DEFAULT);
                CompiledProgram<LineGroups> compiled = backend.compile(plan)) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("gpu");
        }
        assertThat(announced).singleElement().asString().startsWith("Aggregation of lines runs on");
    }

    private Optional<RowProgram> rowsOf(BackendFactory gpuFactory, Program program)
            throws BackendException {
        try (Backend backend =
                        open(
                                gpuFactory,
                                (limitBytes, slot) -> CpuBackend.open(limitBytes),
                                1,
                                BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            return backend.compileRows(program);
        }
    }

    private String chosenFor(int sharers) throws BackendException {
        try (Backend backend = open(gpu, sharers, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            return backend.description();
        }
    }

    private String chosenOf(BackendFactory gpuFactory, BackendFactory coreFactory)
            throws BackendException {
        try (Backend backend = open(gpuFactory, coreFactory, 1, SMALL);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            return backend.description();
        }
    }

    private Backend open(BackendFactory gpuFactory, int sharers, BatchPolicy policy)
            throws BackendException {
        return open(gpuFactory, core, sharers, policy);
    }

    private Backend open(
            BackendFactory gpuFactory, BackendFactory coreFactory, int sharers, BatchPolicy policy)
            throws BackendException {
        AutoBackend.Subtask subtask =
                new AutoBackend.Subtask(operator, LIMIT_BYTES, 0, sharers, 1, policy);
        return new AutoBackend(gpuFactory, coreFactory, subtask, verdicts, clock, announced::add);
    }

    private BackendFactory device(String name, List<Call> calls, Cost cost) {
        return scripted(
                name,
                (call, rows) -> {
                    calls.add(call);
                    if (call == Call.AWAIT) {
                        clockNanos.addAndGet(cost.nanos(rows));
                    }
                });
    }

    private static BackendFactory scripted(String name, Script script) {
        return (limitBytes, slot) ->
                ScriptedBackend.open(
                        name, (limit, number) -> CpuBackend.open(limit), limitBytes, slot, script);
    }

    private interface Cost {

        long nanos(int rows);
    }
}
