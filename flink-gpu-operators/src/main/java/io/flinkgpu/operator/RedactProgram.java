package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledRedaction;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.CompiledRules;

import org.apache.flink.util.IOUtils;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Redaction on one backend. A batch the device has no memory for is halved, its halves once more, and
 * what still does not fit runs on the CPU.
 */
final class RedactProgram implements BatchProgram<RedactedBatch> {

    private static final int MAX_HALVINGS = 2;

    private final BackendFactory factory;
    private final BackendFactory fallbackFactory;
    private final CompiledRules rules;
    private final byte[] hashKey;
    private final long memoryLimitBytes;
    private final int deviceSlot;
    private final List<AutoCloseable> open = new ArrayList<>();
    private Backend backend;
    private CompiledRedaction redaction;
    private CompiledRedaction fallback;

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
            int deviceSlot) {
        this.factory = factory;
        this.fallbackFactory = fallbackFactory;
        this.rules = rules;
        this.hashKey = hashKey;
        this.memoryLimitBytes = memoryLimitBytes;
        this.deviceSlot = deviceSlot;
    }

    @Override
    public Backend open() throws BackendException {
        backend = opened(factory);
        redaction = compiled(backend);
        return backend;
    }

    @Override
    public Work<RedactedBatch> submit(ColumnBatch batch) throws BackendException {
        int rows = batch.rows();
        CompiledRedaction.Submission submission = redaction.submit(batch);
        return () -> checked(submission.await(), rows);
    }

    @Override
    public RedactedBatch runWithLess(ColumnBatch batch, DeviceOutOfMemoryException cause)
            throws BackendException {
        return runHalves(batch, MAX_HALVINGS);
    }

    private RedactedBatch runHalves(ColumnBatch batch, int halvingsLeft) throws BackendException {
        if (halvingsLeft == 0 || batch.rows() == 1) {
            return runOnCpu(batch);
        }
        int half = batch.rows() / 2;
        try (RedactedBatch left = runSlice(batch, 0, half, halvingsLeft - 1);
                RedactedBatch right =
                        runSlice(batch, half, batch.rows() - half, halvingsLeft - 1)) {
            return RedactedBatches.concat(backend.allocator(), left, right);
        }
    }

    private RedactedBatch runSlice(ColumnBatch batch, int firstRow, int rows, int halvingsLeft)
            throws BackendException {
        try (ColumnBatch slice = batch.slice(firstRow, rows)) {
            try {
                return submit(slice).await();
            } catch (DeviceOutOfMemoryException e) {
                return runHalves(slice, halvingsLeft);
            }
        }
    }

    private RedactedBatch runOnCpu(ColumnBatch batch) throws BackendException {
        if (fallback == null) {
            fallback = compiled(opened(fallbackFactory));
        }
        return checked(fallback.submit(batch).await(), batch.rows());
    }

    private Backend opened(BackendFactory backendFactory) throws BackendException {
        Backend newBackend = backendFactory.open(memoryLimitBytes, deviceSlot);
        open.add(newBackend);
        return newBackend;
    }

    private CompiledRedaction compiled(Backend on) throws BackendException {
        CompiledRedaction compiled = on.compile(rules, hashKey);
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
