package io.flinkgpu;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.api.expression.Expressions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.AggregatePlan;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.GroupedBatch;
import io.flinkgpu.backend.LineGroups;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.PassPlan;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.TransformedBatch;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** When {@code auto} takes the CPU, on a GPU made up for the test. */
class AutoBackendTest {

    private static final long LIMIT_BYTES = 16 << 20;
    private static final CompiledRules RULES =
            RuleCompiler.compile(RuleSet.of(Rule.of("a", "a", Action.label("b"))));

    private final List<String> announced = new ArrayList<>();
    private final Gpu gpu = new Gpu();

    @Test
    void staysOnAGpuThatCompiles() throws BackendException {
        try (Backend backend = open((limitBytes, slot) -> gpu);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.isGpu()).isTrue();
            assertThat(backend.allocator()).isSameAs(gpu.allocator);
        }
        assertThat(announced).containsExactly("Batches run on gpu.");
        assertThat(gpu.closed).isEqualTo(1);
    }

    @Test
    void takesTheCpuWhenTheGpuHasNoRoomForTheRules() throws BackendException {
        gpu.failure = new DeviceOutOfMemoryException("no room");
        try (Backend backend = open((limitBytes, slot) -> gpu);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(gpu.closed).isEqualTo(1);
            assertThat(backend.isGpu()).isFalse();
            assertThat(backend.description()).isEqualTo("cpu");
            assertThat(backend.allocator().getLimit()).isEqualTo(LIMIT_BYTES);
        }
        assertThat(announced).containsExactly("Batches run on cpu, not on a GPU: no room");
        assertThat(gpu.closed).isEqualTo(1);
    }

    @Test
    void takesTheCpuWhenNoGpuOpens() throws BackendException {
        BackendFactory noDriver =
                (limitBytes, slot) -> {
                    throw new UnsatisfiedLinkError("no driver");
                };
        try (Backend backend = open(noDriver);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.isGpu()).isFalse();
        }
        assertThat(announced).containsExactly("Batches run on cpu, not on a GPU: no driver");
    }

    @Test
    void recordsGoOneAtATimeOnTheCpuOnly() throws BackendException {
        Program program =
                ProgramCompiler.compile(
                        Map.of("t", ColumnType.TEXT), List.of(Expressions.col("t").trim()));
        try (Backend backend = open((limitBytes, slot) -> gpu);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.compileRows(program)).isEmpty();
        }
        gpu.failure = new DeviceOutOfMemoryException("no room");
        try (Backend backend = open((limitBytes, slot) -> gpu);
                CompiledProgram<RedactedBatch> compiled = backend.compile(RULES, new byte[0])) {
            assertThat(compiled).isNotNull();
            assertThat(backend.compileRows(program)).isPresent();
        }
    }

    @Test
    void failsWhenTheCpuFailsAsWell() throws BackendException {
        gpu.failure = new DeviceOutOfMemoryException("no room");
        BackendFactory noCpu =
                (limitBytes, slot) -> {
                    throw new BackendException("no CPU");
                };
        try (Backend backend =
                new AutoBackend((limitBytes, slot) -> gpu, noCpu, LIMIT_BYTES, 0, announced::add)) {
            assertThatThrownBy(() -> backend.compile(RULES, new byte[0])).hasMessage("no CPU");
        }
        assertThat(announced).isEmpty();
        assertThat(gpu.closed).isEqualTo(1);
    }

    @Test
    void linesAreReadOnWhatIsChosen() throws BackendException {
        gpu.failure = new BackendException("too many fields");
        LinePlan plan =
                new LinePlan(
                        Delimited.of(';').string("key").intNumber("n"),
                        0,
                        null,
                        List.of(1),
                        List.of(new ValueSpec("n", ValueType.INT, List.of(Aggregate.SUM))));
        try (Backend backend = open((limitBytes, slot) -> gpu);
                CompiledProgram<LineGroups> compiled = backend.compile(plan)) {
            assertThat(compiled).isNotNull();
            assertThat(backend.isGpu()).isFalse();
        }
        assertThat(announced).containsExactly("Batches run on cpu, not on a GPU: too many fields");
    }

    private Backend open(BackendFactory gpuFactory) throws BackendException {
        return new AutoBackend(
                gpuFactory,
                (limitBytes, slot) -> CpuBackend.open(limitBytes),
                LIMIT_BYTES,
                0,
                announced::add);
    }

    private static final class Gpu implements Backend {

        final BufferAllocator allocator = new RootAllocator(LIMIT_BYTES);
        BackendException failure;
        int closed;

        @Override
        public String description() {
            return "gpu";
        }

        @Override
        public boolean isGpu() {
            return true;
        }

        @Override
        public BufferAllocator allocator() {
            return allocator;
        }

        @Override
        public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
            throw failure;
        }

        @Override
        public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) {
            throw new UnsupportedOperationException("this fake only redacts");
        }

        @Override
        public CompiledProgram<TransformedBatch> compile(PassPlan plan) {
            throw new UnsupportedOperationException("this fake only redacts");
        }

        @Override
        public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
                throws BackendException {
            if (failure != null) {
                throw failure;
            }
            return new CompiledProgram<RedactedBatch>() {
                @Override
                public Submission<RedactedBatch> submit(ColumnBatch batch) {
                    throw new AssertionError("no batch");
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {
            closed++;
            allocator.close();
        }
    }
}
