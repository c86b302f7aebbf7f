package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.OutOfMemoryException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A program on one backend. A batch the device has no memory for is halved, its halves once more, and
 * what still does not fit runs on the CPU; there, and where the CPU is the backend, batches are halved
 * until their results fit into the columns' memory.
 *
 * @param <R> result of a batch, or of some of its rows
 */
public abstract class BackendProgram<R extends AutoCloseable> implements BatchProgram<R> {

    private static final int MAX_HALVINGS = 2;

    private final BackendFactory factory;
    private final BackendFactory fallbackFactory;
    private final long memoryLimitBytes;
    private final int deviceSlot;
    private final int subtasks;
    private final int devices;
    private final DetourMetrics detours;
    private final List<AutoCloseable> open = new ArrayList<>();
    private Backend backend;
    private CompiledProgram<R> program;
    private CompiledProgram<R> fallback;

    /**
     * @param factory opens the backend
     * @param fallbackFactory opens the CPU, only when the device is out of memory
     * @param memoryLimitBytes the most bytes that the columns on a backend may take
     * @param context of the operator; tells the device and takes the metrics
     */
    protected BackendProgram(
            BackendFactory factory,
            BackendFactory fallbackFactory,
            long memoryLimitBytes,
            RuntimeContext context) {
        this.factory = factory;
        this.fallbackFactory = fallbackFactory;
        this.memoryLimitBytes = memoryLimitBytes;
        this.deviceSlot = DeviceSlot.of(context);
        this.subtasks = DeviceSlot.subtasks(context);
        this.devices = DeviceSlot.devices(context);
        this.detours = new DetourMetrics(context.getMetricGroup());
    }

    /** Prepares the program on a backend. */
    protected abstract CompiledProgram<R> compile(Backend on) throws BackendException;

    /** What is wrong with a result of a batch, or null if it is one. */
    protected abstract String defectOf(R result, ColumnBatch batch);

    /** What is wrong with so many rows in place of each row of a batch, or null if nothing is. */
    protected static String defectOfRows(int gave, ColumnBatch batch) {
        return gave == batch.rows()
                ? null
                : "a backend gives back as many rows as it gets: got="
                        + batch.rows()
                        + ", gave="
                        + gave;
    }

    /** What a user can do about a row whose result does not fit into memory. */
    protected abstract String remedyForOneRow();

    @Override
    public Backend open() throws BackendException {
        backend = opened(factory);
        program = compiled(backend);
        return backend;
    }

    @Override
    public Submission<R> submit(ColumnBatch batch) throws BackendException {
        Submission<R> submission = program.submit(batch);
        return () -> checked(submission.await(), batch);
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
            throw noMemory("the result of a single row", remedyForOneRow(), e);
        }
    }

    private BackendException noMemory(String what, String remedy, OutOfMemoryException cause) {
        return new BackendException(
                "no memory for "
                        + what
                        + ": memoryLimitBytes="
                        + memoryLimitBytes
                        + ", "
                        + cause.getMessage()
                        + "; "
                        + remedy,
                cause);
    }

    private void run(CompiledProgram<R> on, ColumnBatch batch, int halvings, Parts<R> parts)
            throws Exception {
        R result;
        try {
            result = checked(on.submit(batch).await(), batch);
        } catch (DeviceOutOfMemoryException e) {
            if (halvings == MAX_HALVINGS || batch.rows() == 1) {
                detours.ranOnCpu(e);
                run(fallback(), batch, halvings, parts);
            } else {
                runHalves(on, batch, halvings, parts, e);
            }
            return;
        } catch (OutOfMemoryException e) {
            if (batch.rows() == 1) {
                throw e;
            }
            runHalves(on, batch, halvings, parts, e);
            return;
        }
        parts.add(result);
    }

    private void runHalves(
            CompiledProgram<R> on, ColumnBatch batch, int halvings, Parts<R> parts, Exception cause)
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

    private CompiledProgram<R> fallback() throws BackendException {
        if (fallback == null) {
            fallback = compiled(opened(fallbackFactory));
        }
        return fallback;
    }

    private Backend opened(BackendFactory backendFactory) throws BackendException {
        Backend newBackend = backendFactory.open(memoryLimitBytes, deviceSlot, subtasks, devices);
        open.add(newBackend);
        return newBackend;
    }

    private CompiledProgram<R> compiled(Backend on) throws BackendException {
        CompiledProgram<R> compiled = compile(on);
        open.add(compiled);
        return compiled;
    }

    private R checked(R result, ColumnBatch batch) throws BackendException {
        String defect = defectOf(result, batch);
        if (defect == null) {
            return result;
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
        }
    }
}
