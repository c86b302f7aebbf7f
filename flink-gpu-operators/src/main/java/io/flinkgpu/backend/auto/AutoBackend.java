package io.flinkgpu.backend.auto;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.NoDeviceException;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.auto.BackendTrial.Side;
import io.flinkgpu.backend.auto.SharedChoices.Choice;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.util.UUID;
import java.util.function.Consumer;

/**
 * A GPU where one opens, has room for a plan, and runs it faster than the CPU does, else the CPU.
 * The choice is final, and announced, when {@link #compile} returns; that is called once, before
 * anything is allocated. It is made by measuring: both run made-up batches as large as the policy's,
 * the GPU's time counts for all subtasks that share it, and a core is a subtask's own. The first subtask
 * of an operator in this process measures, and the others choose as it did.
 */
@Internal
public final class AutoBackend implements Backend {

    private static final String NOT_ON_A_GPU = ", not on a GPU: ";

    private final BackendFactory cpu;
    private final Subtask subtask;
    private final SharedChoices.Hold choices;
    private final Calibration calibration;
    private final Announcer announcer;

    /** Read by any thread for {@link #linkNanos}. */
    private volatile Backend chosen;

    /** Null while a GPU is open. */
    private String whyNoGpu;

    private boolean fellBack;

    /**
     * What a backend is chosen for.
     *
     * @param operator whose subtasks choose alike
     * @param request of it
     * @param policy how large batches are
     */
    public record Subtask(UUID operator, OpenRequest request, BatchPolicy policy) {}

    /**
     * Where a line for the log goes.
     *
     * @param info for a choice
     * @param warn for a GPU that could not be used
     */
    public record Announcer(Consumer<String> info, Consumer<String> warn) {}

    /**
     * @param gpu tried first
     * @param cpu opened when the GPU fails or is slower
     * @param choices of this process
     * @param clock {@link Calibration.Clock#SYSTEM}, or one made up for a test
     * @param announcer gets what was chosen and why in one line, once for all subtasks
     * @throws FatalDeviceException if a GPU was open and is lost: the CPU is for those that never were
     */
    public AutoBackend(
            BackendFactory gpu,
            BackendFactory cpu,
            Subtask subtask,
            SharedChoices choices,
            Calibration.Clock clock,
            Announcer announcer)
            throws BackendException {
        this.cpu = cpu;
        this.subtask = subtask;
        this.calibration = new Calibration(clock);
        this.announcer = announcer;
        this.choices = choices.hold(subtask.operator);
        try {
            Choice known = this.choices.choice();
            if (known != null && !known.isGpu()) {
                openCpu(known.reason());
            } else {
                openGpu(gpu);
            }
        } catch (BackendException | RuntimeException e) {
            this.choices.close();
            throw e;
        }
    }

    private void openGpu(BackendFactory gpu) throws BackendException {
        try {
            chosen = gpu.open(subtask.request);
        } catch (NoDeviceException | LinkageError e) {
            // A machine without a driver fails with an Error when JCuda's classes load.
            openCpu(NOT_ON_A_GPU + e.getMessage());
        } catch (FatalDeviceException e) {
            throw e;
        } catch (BackendException e) {
            fallBack(e);
        }
    }

    @Override
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
        CompiledProgram<R> compiled = null;
        if (whyNoGpu == null) {
            compiled = compileOnFaster(plan);
        }
        if (compiled == null) {
            compiled = chosen.compile(plan);
            announce(plan, whyNoGpu);
        }
        return compiled;
    }

    /** Leaves the CPU open, with the reason, if it gives null. */
    private <R extends AutoCloseable> CompiledProgram<R> compileOnFaster(Plan<R> plan)
            throws BackendException {
        Backend gpu = chosen;
        chosen = null;
        CompiledProgram<R> won = null;
        try (BackendTrial<R> trial = new BackendTrial<>(gpu, cpu, subtask, plan)) {
            Choice choice = choices.choice(() -> trial.choose(calibration, choices.oneAtATime()));
            Side<R> winner = choice.isGpu() ? trial.takeGpu() : trial.takeCore();
            chosen = winner.backend();
            won = winner.program();
            announce(plan, choice.reason());
            return won;
        } catch (FatalDeviceException e) {
            throw e;
        } catch (BackendException | LinkageError | OutOfMemoryException e) {
            fallBack(e);
            return null;
        } catch (IllegalStateException e) {
            // The loser did not close: nobody gets the winner's program.
            if (won != null) {
                won.close();
            }
            throw e;
        }
    }

    private void announce(Plan<?> plan, String reason) {
        String what = plan.name() + " runs on " + placement();
        if (choices.isNews(what)) {
            (fellBack ? announcer.warn : announcer.info).accept(what + reason);
        }
    }

    /** To the CPU from a GPU that is there. */
    private void fallBack(Throwable cause) throws BackendException {
        fellBack = true;
        openCpu(NOT_ON_A_GPU + cause.getMessage());
    }

    private void openCpu(String reason) throws BackendException {
        whyNoGpu = reason;
        chosen = cpu.open(subtask.request);
    }

    @Override
    public Placement placement() {
        return chosen.placement();
    }

    @Override
    public BufferAllocator allocator() {
        return chosen.allocator();
    }

    @Override
    public long linkNanos() {
        Backend open = chosen;
        return open == null ? 0 : open.linkNanos();
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
            choices.close();
        }
    }
}
