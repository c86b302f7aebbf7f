package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.util.IOUtils;

import org.apache.arrow.memory.OutOfMemoryException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Redaction on one backend. A batch the device has no memory for is halved, its halves once more, and
 * what still does not fit runs on the CPU; there, and where the CPU is the backend, batches are halved
 * until their results fit into the columns' memory.
 */
final class RedactProgram implements BatchProgram<RedactedBatch> {

    private static final int MAX_HALVINGS = 2;

    private final BackendFactory factory;
    private final BackendFactory fallbackFactory;
    private final CompiledRules rules;
    private final byte[] hashKey;
    private final long memoryLimitBytes;
    private final int deviceSlot;
    private final DetourMetrics detours;
    private final List<AutoCloseable> open = new ArrayList<>();
    private Backend backend;
    private CompiledProgram<RedactedBatch> redaction;
    private CompiledProgram<RedactedBatch> fallback;

    /**
     * @param fallbackFactory opened only when the device is out of memory
     * @param hashKey empty when no rule needs one
     */
    RedactProgram(
            BackendFactory factory,
            BackendFactory fallbackFactory,
            CompiledRules rules,
            byte[] hashKey,
            long memoryLimitBytes,
            int deviceSlot,
            DetourMetrics detours) {
        this.factory = factory;
        this.fallbackFactory = fallbackFactory;
        this.rules = rules;
        this.hashKey = hashKey;
        this.memoryLimitBytes = memoryLimitBytes;
        this.deviceSlot = deviceSlot;
        this.detours = detours;
    }

    @Override
    public Backend open() throws BackendException {
        backend = opened(factory);
        redaction = compiled(backend);
        return backend;
    }

    @Override
    public Submission<RedactedBatch> submit(ColumnBatch batch) throws BackendException {
        int rows = batch.rows();
        Submission<RedactedBatch> submission = redaction.submit(batch);
        return () -> checked(submission.await(), rows);
    }

    @Override
    public void runInParts(ColumnBatch batch, Parts<RedactedBatch> parts) throws Exception {
        try {
            run(redaction, batch, 0, parts);
        } catch (OutOfMemoryException e) {
            throw new BackendException(
                    "no memory for the result of a single row: memoryLimitBytes="
                            + memoryLimitBytes
                            + ", "
                            + e.getMessage()
                            + "; raise memoryLimitBytes, or shorten the rows or the labels",
                    e);
        }
    }

    private void run(
            CompiledProgram<RedactedBatch> on,
            ColumnBatch batch,
            int halvings,
            Parts<RedactedBatch> parts)
            throws Exception {
        RedactedBatch result;
        try {
            result = checked(on.submit(batch).await(), batch.rows());
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
            CompiledProgram<RedactedBatch> on,
            ColumnBatch batch,
            int halvings,
            Parts<RedactedBatch> parts,
            Exception cause)
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

    private CompiledProgram<RedactedBatch> fallback() throws BackendException {
        if (fallback == null) {
            fallback = compiled(opened(fallbackFactory));
        }
        return fallback;
    }

    private Backend opened(BackendFactory backendFactory) throws BackendException {
        Backend newBackend = backendFactory.open(memoryLimitBytes, deviceSlot);
        open.add(newBackend);
        return newBackend;
    }

    private CompiledProgram<RedactedBatch> compiled(Backend on) throws BackendException {
        CompiledProgram<RedactedBatch> compiled = on.compile(rules, hashKey);
        open.add(compiled);
        return compiled;
    }

    private static RedactedBatch checked(RedactedBatch result, int rows) throws BackendException {
        if (result.rows() == rows) {
            return result;
        }
        result.close();
        throw new BackendException(
                "a backend gives back as many rows as it gets: got="
                        + rows
                        + ", gave="
                        + result.rows()
                        + "; this is a defect of the backend");
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
            Arrays.fill(hashKey, (byte) 0);
        }
    }
}
