package io.flinkgpu;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.ValueType;
import io.flinkgpu.api.expression.ColumnType;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.AggregatePlan;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.KeyKind;
import io.flinkgpu.backend.LinePlan;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** What {@code auto} chooses here, and how long it takes, by program, size of batches and subtasks. */
public final class AutoBench {

    private static final long MEMORY_LIMIT_BYTES = 512L << 20;
    private static final int[] BATCH_KIB = {4, 64, 1_024, 4_096};
    private static final int[] SHARERS = {1, 16};
    private static final List<ValueSpec> VALUES =
            List.of(
                    new ValueSpec(
                            "v", ValueType.decimal(4, 1), List.of(Aggregate.MIN, Aggregate.MEAN)));

    private AutoBench() {}

    public static void main(String[] args) throws Exception {
        CompiledRules rules = RuleCompiler.compile(DefaultRules.get());
        Program expression =
                ProgramCompiler.compile(
                        Map.of("name", ColumnType.TEXT, "visibility", ColumnType.TEXT),
                        List.of(Redactions.nameByVisibility()));
        AggregatePlan keyed = new AggregatePlan(KeyKind.ID, VALUES);
        LinePlan lines =
                new LinePlan(
                        Delimited.of(';').string("key").decimal("v", 4, 1),
                        0,
                        null,
                        List.of(1),
                        VALUES);
        for (int kib : BATCH_KIB) {
            for (int sharers : SHARERS) {
                BatchPolicy policy = BatchPolicy.DEFAULT.withMaxBytes(kib << 10);
                choose(policy, sharers, backend -> backend.compile(rules, new byte[0]));
                choose(policy, sharers, backend -> backend.compile(expression, new byte[0]));
                choose(policy, sharers, backend -> backend.compile(keyed));
                choose(policy, sharers, backend -> backend.compile(lines));
            }
        }
    }

    private static void choose(BatchPolicy policy, int sharers, Compiler compiler)
            throws BackendException {
        StringBuilder line = new StringBuilder();
        long started = System.nanoTime();
        long opened;
        try (Backend backend = open(policy, sharers, line)) {
            opened = System.nanoTime();
            compiler.compile(backend).close();
        }
        System.out.printf(
                Locale.ROOT,
                "opened in %.0f ms, compiled, chosen and closed in %.0f ms: %s%n",
                (opened - started) / 1e6,
                (System.nanoTime() - opened) / 1e6,
                line);
    }

    private static Backend open(BatchPolicy policy, int sharers, StringBuilder line)
            throws BackendException {
        return new AutoBackend(
                CudaBackend::open,
                (limitBytes, slot) -> CpuBackend.open(limitBytes),
                new AutoBackend.Subtask(
                        UUID.randomUUID(), MEMORY_LIMIT_BYTES, 0, sharers, policy),
                new SharedVerdicts(),
                Calibration.Clock.SYSTEM,
                line::append);
    }

    @FunctionalInterface
    private interface Compiler {

        CompiledProgram<?> compile(Backend backend) throws BackendException;
    }
}
