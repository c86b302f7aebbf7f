package io.flinkgpu.backend.auto;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.expression.Redactions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.TransformPlan;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * What {@code auto} chooses here, and how long it takes, by program, size of batches and subtasks. With an
 * argument, the MB/s of a {@link MadeUpGpu} that is taken instead of one that is there.
 */
public final class AutoBench {

    static final long MEMORY_LIMIT_BYTES = 512L << 20;
    private static final int[] BATCH_KIB = {4, 64, 1_024, 4_096};

    /** In the first, code is interpreted at the beginning, and in the last hardly any is. */
    private static final int ROUNDS = 3;

    private static final int[] SHARERS = {1, 16};
    private static final List<ValueSpec> VALUES =
            List.of(
                    new ValueSpec(
                            "v", ColumnType.decimal(4, 1), List.of(Aggregate.MIN, Aggregate.MEAN)));

    private AutoBench() {}

    public static void main(String[] args) throws Exception {
        BackendFactory gpu = CudaBackend::open;
        if (args.length > 0) {
            double bytesPerNano = Double.parseDouble(args[0]) / 1e3;
            gpu = request -> new MadeUpGpu(request, bytesPerNano);
        }
        List<Plan<?>> plans = plans();
        for (int round = 0; round < ROUNDS; round++) {
            System.out.printf("round %d%n", round);
            for (int kib : BATCH_KIB) {
                for (int sharers : SHARERS) {
                    BatchPolicy policy = BatchPolicy.DEFAULT.withMaxBytes(kib << 10);
                    for (Plan<?> plan : plans) {
                        choose(gpu, policy, sharers, plan);
                    }
                }
            }
        }
    }

    /** Redaction, expressions, aggregation, aggregation of lines. */
    static List<Plan<?>> plans() {
        CompiledRules rules = RuleCompiler.compile(DefaultRules.get());
        Program expression =
                ProgramCompiler.compile(
                        Map.of("name", ColumnType.TEXT, "visibility", ColumnType.TEXT),
                        List.of(Redactions.nameByVisibility()));
        AggregatePlan keyed = new AggregatePlan(ColumnType.INT, VALUES);
        LinePlan lines =
                new LinePlan(
                        Delimited.of(';').string("key").decimal("v", 4, 1),
                        0,
                        null,
                        List.of(1),
                        VALUES);
        return List.of(new RedactPlan(rules), new TransformPlan(expression), keyed, lines);
    }

    private static void choose(BackendFactory gpu, BatchPolicy policy, int sharers, Plan<?> plan)
            throws BackendException {
        StringBuilder line = new StringBuilder();
        SharedChoices choices = new SharedChoices();
        AutoBackend.Subtask subtask =
                new AutoBackend.Subtask(
                        UUID.randomUUID(),
                        new OpenRequest(MEMORY_LIMIT_BYTES, 0, sharers, 1, new byte[0]),
                        policy);
        long started = System.nanoTime();
        try (Backend backend = open(gpu, subtask, choices, line);
                CompiledProgram<?> first = backend.compile(plan)) {
            long chosen = System.nanoTime();
            try (Backend likewise = open(gpu, subtask, choices, line);
                    CompiledProgram<?> second = likewise.compile(plan)) {
                System.out.printf(
                        Locale.ROOT,
                        "opened in %.1f ms%s, the next in %.1f ms: %s%n",
                        (chosen - started) / 1e6,
                        first == second ? " twice" : "",
                        (System.nanoTime() - chosen) / 1e6,
                        line);
            }
        }
    }

    private static Backend open(
            BackendFactory gpu,
            AutoBackend.Subtask subtask,
            SharedChoices choices,
            StringBuilder line)
            throws BackendException {
        return new AutoBackend(
                gpu,
                CpuBackend::open,
                subtask,
                choices,
                Calibration.Clock.SYSTEM,
                new AutoBackend.Announcer(line::append, line::append));
    }
}
