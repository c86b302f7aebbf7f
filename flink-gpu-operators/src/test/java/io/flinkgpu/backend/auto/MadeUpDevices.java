package io.flinkgpu.backend.auto;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.backend.ScriptedBackend.Script;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** A GPU and a CPU made up for tests, whose batches take made-up times, and {@code auto} on them. */
abstract class MadeUpDevices {

    static final long LIMIT_BYTES = 64 << 20;
    static final BatchPolicy SMALL = BatchPolicy.DEFAULT.withMaxBytes(4 << 10);
    static final CompiledRules RULES =
            RuleCompiler.compile(RuleSet.of(Rule.of("a", "a", Action.label("b"))));

    final AtomicLong clockNanos = new AtomicLong();
    final SharedChoices choices = new SharedChoices();
    final UUID operator = UUID.randomUUID();

    /** So long the virtual machine compiles, all the time. */
    long compilingMillis;

    final Calibration.Clock clock =
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
    final List<String> announced = new ArrayList<>();

    /** Those of the lines that are warnings. */
    final List<String> warned = new ArrayList<>();

    final List<Call> gpuCalls = new ArrayList<>();
    final List<Call> cpuCalls = new ArrayList<>();

    /** A GPU that takes 200 us for a batch, whatever its size. */
    final BackendFactory gpu = device("gpu", gpuCalls, rows -> 200_000);

    /** A core that takes 500 ns for a line. */
    final BackendFactory core = device("core", cpuCalls, rows -> 500 * rows);

    String chosenFor(int sharers) throws BackendException {
        try (Backend backend = open(gpu, sharers, BatchPolicy.DEFAULT);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            return backend.placement().toString();
        }
    }

    String chosenOf(BackendFactory gpuFactory, BackendFactory coreFactory) throws BackendException {
        try (Backend backend = open(gpuFactory, coreFactory, 1, SMALL);
                CompiledProgram<RedactedBatch> compiled = backend.compile(new RedactPlan(RULES))) {
            assertThat(compiled).isNotNull();
            return backend.placement().toString();
        }
    }

    Backend open(BackendFactory gpuFactory, int sharers, BatchPolicy policy)
            throws BackendException {
        return open(gpuFactory, core, sharers, policy);
    }

    Backend open(
            BackendFactory gpuFactory, BackendFactory coreFactory, int sharers, BatchPolicy policy)
            throws BackendException {
        AutoBackend.Subtask subtask =
                new AutoBackend.Subtask(
                        operator, new OpenRequest(LIMIT_BYTES, 0, sharers, 1, new byte[0]), policy);
        return new AutoBackend(
                gpuFactory,
                coreFactory,
                subtask,
                choices,
                clock,
                new AutoBackend.Announcer(
                        announced::add,
                        line -> {
                            warned.add(line);
                            announced.add(line);
                        }));
    }

    BackendFactory device(String name, List<Call> calls, Cost cost) {
        return scripted(
                name,
                (call, rows) -> {
                    calls.add(call);
                    if (call == Call.AWAIT) {
                        clockNanos.addAndGet(cost.nanos(rows));
                    }
                });
    }

    static BackendFactory scripted(String name, Script script) {
        return request -> ScriptedBackend.open(name, CpuBackend::open, request, script);
    }

    interface Cost {

        long nanos(int rows);
    }
}
