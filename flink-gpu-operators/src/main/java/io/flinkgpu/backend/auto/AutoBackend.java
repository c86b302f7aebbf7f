package io.flinkgpu.backend.auto;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.RowProgram;
import io.flinkgpu.backend.auto.Contest.Compiler;
import io.flinkgpu.backend.auto.Contest.Side;
import io.flinkgpu.backend.auto.SharedVerdicts.Verdict;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.program.Program;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A GPU where one opens, has room for the program, and runs it faster than the CPU does, else the CPU.
 * The choice is final, and announced, when {@link #compile} returns; that is called once, before
 * anything is allocated. It is made by measuring: both run made-up batches as large as the policy's,
 * the GPU's time counts for all subtasks that share it, and a core is a subtask's own. The first subtask
 * of an operator in this process measures, and the others choose as it did.
 */
public final class AutoBackend implements Backend {

    private static final String NOT_ON_A_GPU = ", not on a GPU: ";

    private final BackendFactory cpu;
    private final Subtask subtask;
    private final SharedVerdicts.Hold verdicts;
    private final Calibration calibration;
    private final Consumer<String> announcer;
    private Backend chosen;

    /** Null while a GPU is open. */
    private String whyNoGpu;

    /**
     * What a backend is chosen for.
     *
     * @param operator whose subtasks choose alike
     * @param memoryLimitBytes of its columns
     * @param deviceSlot picks the device
     * @param subtasks how many this process may have, this one included
     * @param devices that they are spread over; 0 for all that there are
     * @param policy how large batches are
     */
    public record Subtask(
            UUID operator,
            long memoryLimitBytes,
            int deviceSlot,
            int subtasks,
            int devices,
            BatchPolicy policy) {

        /** How many subtasks share a device, at most. */
        int sharers(Backend gpu) throws BackendException {
            int spread = devices == 0 ? gpu.devices() : devices;
            return (subtasks + spread - 1) / spread;
        }
    }

    /**
     * @param gpu tried first
     * @param cpu opened when the GPU fails or is slower
     * @param verdicts of this process
     * @param clock {@link Calibration.Clock#SYSTEM}, or one made up for a test
     * @param announcer gets what was chosen and why in one line, once for all subtasks
     */
    public AutoBackend(
            BackendFactory gpu,
            BackendFactory cpu,
            Subtask subtask,
            SharedVerdicts verdicts,
            Calibration.Clock clock,
            Consumer<String> announcer)
            throws BackendException {
        this.cpu = cpu;
        this.subtask = subtask;
        this.calibration = new Calibration(clock);
        this.announcer = announcer;
        this.verdicts = verdicts.hold(subtask.operator);
        try {
            Verdict known = this.verdicts.verdict();
            if (known != null && !known.isGpu()) {
                openCpu(known.reason());
            } else {
                openGpu(gpu);
            }
        } catch (BackendException | RuntimeException e) {
            this.verdicts.close();
            throw e;
        }
    }

    private void openGpu(BackendFactory gpu) throws BackendException {
        try {
            chosen = gpu.open(subtask.memoryLimitBytes, subtask.deviceSlot);
        } catch (BackendException | LinkageError e) {
            // A machine without a driver fails with an Error when JCuda's classes load.
            openCpu(NOT_ON_A_GPU + e.getMessage());
        }
    }

    @Override
    public CompiledProgram<RedactedBatch> compile(CompiledRules rules, byte[] hashKey)
            throws BackendException {
        return compileOnBest(
                "Redaction", backend -> backend.compile(rules, hashKey), SampleBatch::logLines);
    }

    @Override
    public CompiledProgram<GroupedBatch> compile(AggregatePlan plan) throws BackendException {
        return compileOnBest(
                "Aggregation",
                backend -> backend.compile(plan),
                () -> SampleBatch.aggregates(plan));
    }

    @Override
    public CompiledProgram<LineGroups> compile(LinePlan plan) throws BackendException {
        return compileOnBest(
                "Aggregation of lines",
                backend -> backend.compile(plan),
                () -> SampleBatch.lines(plan));
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(PassPlan plan) throws BackendException {
        return compileOnBest(
                "Computing expressions on columns",
                backend -> backend.compile(plan),
                () -> SampleBatch.columns(plan.types()));
    }

    @Override
    public CompiledProgram<TransformedBatch> compile(Program program, byte[] hashKey)
            throws BackendException {
        return compileOnBest(
                "Computing expressions on columns",
                backend -> backend.compile(program, hashKey),
                () -> SampleBatch.columns(program.types()));
    }

    @Override
    public Optional<RowProgram> compileRows(Program program) {
        return chosen.compileRows(program);
    }

    private <R extends AutoCloseable> CompiledProgram<R> compileOnBest(
            String what, Compiler<R> compiler, Supplier<SampleBatch.Maker> samples)
            throws BackendException {
        CompiledProgram<R> compiled = null;
        if (whyNoGpu == null) {
            compiled = compileOnWinner(what, compiler, samples);
        }
        if (compiled == null) {
            compiled = compiler.compile(chosen);
            announce(what, whyNoGpu);
        }
        return compiled;
    }

    /** Leaves the CPU open, with the reason, if it gives null. */
    private <R extends AutoCloseable> CompiledProgram<R> compileOnWinner(
            String what, Compiler<R> compiler, Supplier<SampleBatch.Maker> samples)
            throws BackendException {
        String reason;
        Backend gpu = chosen;
        chosen = null;
        CompiledProgram<R> won = null;
        try (Contest<R> contest = new Contest<>(gpu, cpu, subtask, compiler, samples)) {
            Verdict verdict =
                    verdicts.verdict(() -> contest.judge(calibration, verdicts.oneAtATime()));
            Side<R> winner = verdict.isGpu() ? contest.takeGpu() : contest.takeCore();
            chosen = winner.backend();
            won = winner.program();
            announce(what, verdict.reason());
            return won;
        } catch (BackendException | LinkageError | OutOfMemoryException e) {
            reason = NOT_ON_A_GPU + e.getMessage();
        } catch (IllegalStateException e) {
            // The loser did not close: nobody gets the winner's program.
            if (won != null) {
                won.close();
            }
            throw e;
        }
        openCpu(reason);
        return null;
    }

    private void announce(String what, String reason) {
        String choice = what + " runs on " + description();
        if (verdicts.isNews(choice)) {
            announcer.accept(choice + reason);
        }
    }

    private void openCpu(String reason) throws BackendException {
        whyNoGpu = reason;
        chosen = cpu.open(subtask.memoryLimitBytes, subtask.deviceSlot);
    }

    @Override
    public String description() {
        return chosen.description();
    }

    @Override
    public boolean isGpu() {
        return chosen.isGpu();
    }

    @Override
    public boolean findsLines() {
        return chosen.findsLines();
    }

    @Override
    public BufferAllocator allocator() {
        return chosen.allocator();
    }

    @Override
    public void close() {
        Backend closing = chosen;
        chosen = null;
        try {
            if (closing != null) {
                closing.close();
            }
        } finally {
            verdicts.close();
        }
    }
}
