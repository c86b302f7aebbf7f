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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final List<String> announced = new ArrayList<>();
    private final List<Call> gpuCalls = new ArrayList<>();
    private final List<Call> cpuCalls = new ArrayList<>();

    /** A GPU that takes 200 us for a batch, whatever its size. */
    private final BackendFactory gpu = device("gpu", gpuCalls, rows -> 200_000);

    /** A core that takes 500 ns for a line. */
    private final BackendFactory core = device("core", cpuCalls, rows -> 500 * rows);

    @Test
    void takesAGpuThatIsFaster() throws BackendException {
        try (Backend backend = open(gpu, 1, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("gpu");
            assertThat(backend.allocator().getAllocatedMemory()).isZero();
            assertThat(cpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
            assertThat(gpuCalls).doesNotContain(Call.CLOSE_PROGRAM, Call.CLOSE);
        }
        assertThat(announced)
                .singleElement()
                .asString()
                .matches(
                        "Redaction runs on gpu: the GPU does \\d{5} MB/s for each of up to 1 subtasks"
                                + " in batches of \\d{7} bytes, a core 1\\d\\d MB/s");
        assertThat(gpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
    }

    @Test
    void takesTheCpuForBatchesTooSmallForAGpu() throws BackendException {
        try (Backend backend = open(gpu, 1, SMALL);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("core");
            assertThat(gpuCalls).endsWith(Call.CLOSE_PROGRAM, Call.CLOSE);
        }
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

    @Test
    void aProgramThatStartsSlowlyHasTimeToGetFaster() throws BackendException {
        AtomicLong batches = new AtomicLong();
        BackendFactory warmingUp =
                device(
                        "core",
                        cpuCalls,
                        rows -> rows * (20_000L >> Math.min(8, batches.incrementAndGet())));
        BackendFactory slowGpu = device("gpu", gpuCalls, rows -> 400L * rows);
        try (Backend backend =
                        new AutoBackend(
                                slowGpu,
                                warmingUp,
                                subtask(1, SMALL),
                                clockNanos::get,
                                this::announce);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("core");
        }
    }

    @Test
    void measuringEnds() throws BackendException {
        try (Backend backend = open(gpu, 1, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(clockNanos).hasValueLessThan(150_000_000);
        }
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
        try (Backend backend =
                new AutoBackend(
                        noGpu,
                        noCpu,
                        subtask(1, BatchPolicy.DEFAULT),
                        clockNanos::get,
                        this::announce)) {
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
        try (Backend backend =
                        new AutoBackend(
                                gpu,
                                slowCore,
                                subtask(1, BatchPolicy.DEFAULT),
                                clockNanos::get,
                                this::announce);
                CompiledProgram<LineGroups> compiled = backend.compile(plan)) {
            assertThat(compiled).isNotNull();
            assertThat(backend.description()).isEqualTo("gpu");
        }
        assertThat(announced).singleElement().asString().startsWith("Aggregation of lines runs on");
    }

    private Optional<RowProgram> rowsOf(BackendFactory gpuFactory, Program program)
            throws BackendException {
        try (Backend backend =
                        new AutoBackend(
                                gpuFactory,
                                (limitBytes, slot) -> CpuBackend.open(limitBytes),
                                subtask(1, BatchPolicy.DEFAULT),
                                () -> clockNanos.addAndGet(1_000_000),
                                this::announce);
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

    private Backend open(BackendFactory gpuFactory, int sharers, BatchPolicy policy)
            throws BackendException {
        return new AutoBackend(
                gpuFactory, core, subtask(sharers, policy), clockNanos::get, this::announce);
    }

    private static AutoBackend.Subtask subtask(int sharers, BatchPolicy policy) {
        return new AutoBackend.Subtask(LIMIT_BYTES, 0, sharers, policy);
    }

    private void announce(String choice, String reason) {
        announced.add(choice + reason);
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
