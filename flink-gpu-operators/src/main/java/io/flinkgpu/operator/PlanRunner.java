package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;
import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.OutOfMemoryException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Runs a plan on one backend. A batch the device has no memory for is halved, its halves once more, and
 * what still does not fit runs on the CPU; there, and where the CPU is the backend, batches are halved
 * until their results fit into the columns' memory. So are
 * those of a plan with a resident, which no other backend has.
 *
 * @param <P> what the plan gives for a batch, or for some of its rows
 * @param <R> what becomes of that
 */
@Internal
public final class PlanRunner<P extends AutoCloseable, R extends AutoCloseable>
        implements BatchProgram<R> {

    private static final int MAX_HALVINGS = 2;

    private final Plan<P> plan;
    private final Finish<P, R> finish;
    private final BackendFactory factory;
    private final BackendFactory fallbackFactory;
    private final OpenRequest request;
    private final DetourMetrics detours;
    private final List<AutoCloseable> open = new ArrayList<>();
    private Backend backend;
    private CompiledProgram<P> program;
    private CompiledProgram<P> fallback;

    /** Makes of what the plan gives what goes to the operator. */
    @FunctionalInterface
    public interface Finish<P, R> {

        /**
         * @param result taken over, also if this fails
         * @param batch what it was made of; stays open until this returns
         */
        R of(P result, ColumnBatch batch);
    }

    /**
     * @param context has the backends, the memory that columns may take, and the hash key
     * @param finish makes of each result what the operator gets
     */
    PlanRunner(BatchContext<?, ?> context, Plan<P> plan, Finish<P, R> finish) {
        this.plan = plan;
        this.finish = finish;
        this.factory = context.backend();
        this.fallbackFactory = context.fallback();
        this.request =
                DeviceSlot.request(
                        context.runtime(),
                        context.options().memoryLimitBytes(),
                        context.hashKey(plan.needsHashKey()));
        this.detours = new DetourMetrics(context.metrics());
    }

    @Override
    public Backend open() throws BackendException {
        backend = opened(factory);
        program = compiled(backend);
        return backend;
    }

    /** The plan on the backend; to be asked for once that is open. */
    CompiledProgram<P> program() {
        return program;
    }

    @Override
    public Submission<R> submit(ColumnBatch batch) throws BackendException {
        Submission<P> submission = program.submit(batch);
        return new Submission<>() {
            @Override
            public R await() throws BackendException {
                return checked(submission.await(), batch);
            }

            @Override
            public boolean isDone() throws BackendException {
                return submission.isDone();
            }
        };
    }

    @Override
    public boolean changesBesideBatches() {
        return program.residents().stream().allMatch(Resident::changesBesideBatches);
    }

    @Override
    public void apply(ColumnBatch changes) throws BackendException {
        List<Resident> residents = program.residents();
        if (residents.size() != 1) {
            throw new IllegalStateException(
                    "changes are of the one thing that a plan keeps: plan="
                            + plan.name()
                            + ", residents="
                            + residents.size());
        }
        residents.get(0).apply(changes);
    }

    @Override
    public void runInParts(ColumnBatch batch, Parts<R> parts) throws Exception {
        if (!batch.holdsLines()) {
            runRows(batch, parts);
            return;
        }
        try (ColumnBatch lines = splitLines(batch)) {
            runRows(lines, parts);
        }
    }

    private ColumnBatch splitLines(ColumnBatch batch) throws BackendException {
        try {
            return batch.splitLines(backend.allocator());
        } catch (OutOfMemoryException e) {
            throw noMemory(
                    "where the lines of a batch end",
                    "raise memoryLimitBytes, or read files in smaller chunks or ranges",
                    e);
        }
    }

    private void runRows(ColumnBatch batch, Parts<R> parts) throws Exception {
        try {
            run(program, batch, 0, parts);
        } catch (OutOfMemoryException e) {
            throw noMemory("the result of a single row", plan.remedyForOneRow(), e);
        }
    }

    private BackendException noMemory(String what, String remedy, OutOfMemoryException cause) {
        return new BackendException(
                "no memory for "
                        + what
                        + ": memoryLimitBytes="
                        + request.memoryLimitBytes()
                        + ", "
                        + cause.getMessage()
                        + "; "
                        + remedy,
                cause);
    }

    private void run(CompiledProgram<P> on, ColumnBatch batch, int halvings, Parts<R> parts)
            throws Exception {
        R result;
        try {
            result = checked(on.submit(batch).await(), batch);
        } catch (DeviceOutOfMemoryException e) {
            // Nothing is resident on another backend.
            boolean fallsBack = plan.residents().isEmpty();
            // What a program holds no other program can give.
            if (batch.rows() == 0 || batch.rows() == 1 && !fallsBack) {
                throw e;
            }
            if (fallsBack && (halvings == MAX_HALVINGS || batch.rows() == 1)) {
                detours.ranOnCpu(e);
                run(fallback(), batch, halvings, parts);
            } else {
                runHalves(on, batch, halvings, parts, e);
            }
            return;
        } catch (OutOfMemoryException e) {
            if (batch.rows() > 1) {
                runHalves(on, batch, halvings, parts, e);
                return;
            }
            result = withoutResult(batch, e);
        }
        parts.add(result);
    }

    private R withoutResult(ColumnBatch batch, OutOfMemoryException cause) throws BackendException {
        P result = batch.rows() == 1 ? plan.withoutResult(batch, backend.allocator()) : null;
        if (result == null) {
            throw cause;
        }
        return checked(result, batch);
    }

    private void runHalves(
            CompiledProgram<P> on, ColumnBatch batch, int halvings, Parts<R> parts, Exception cause)
            throws Exception {
        if (halvings == 0) {
            detours.split(cause);
        }
        int half = batch.rows() / 2;
        try (ColumnBatch left = batch.slice(0, half)) {
            run(on, left, halvings + 1, parts);
        }
        try (ColumnBatch right = batch.slice(half, batch.rows() - half)) {
            run(on, right, halvings + 1, parts);
        }
    }

    private CompiledProgram<P> fallback() throws BackendException {
        if (fallback == null) {
            fallback = compiled(opened(fallbackFactory));
        }
        return fallback;
    }

    private Backend opened(BackendFactory backendFactory) throws BackendException {
        Backend newBackend = backendFactory.open(request);
        open.add(newBackend);
        return newBackend;
    }

    private CompiledProgram<P> compiled(Backend on) throws BackendException {
        CompiledProgram<P> compiled = on.compile(plan);
        open.add(compiled);
        return compiled;
    }

    private R checked(P result, ColumnBatch batch) throws BackendException {
        String defect = plan.defectOf(result, batch);
        if (defect == null) {
            return finish.of(result, batch);
        }
        BackendException failure =
                new BackendException(defect + "; this is a defect of the backend");
        try {
            result.close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
        throw failure;
    }

    @Override
    public void close() {
        Collections.reverse(open);
        try {
            IOUtils.closeAll(open);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a backend did not close: " + e.getMessage(), e);
        } finally {
            Arrays.fill(request.hashKey(), (byte) 0);
        }
    }
}
