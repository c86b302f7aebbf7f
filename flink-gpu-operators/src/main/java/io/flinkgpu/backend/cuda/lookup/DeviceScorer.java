package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.dense.DenseRun;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.plan.ScoredRows;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Has a model read the values of a batch on the device. These are as many for each row, one row after another, so
 * they and the rows' numbers are copied to the model's input in two launches.
 */
final class DeviceScorer implements AutoCloseable {

    private final LookupQueue queue;
    private final DeviceModel model;
    private final BufferAllocator allocator;
    private final DenseRun run;
    private final int valueWidth;
    private final int numberWidth;
    private final int outputWidth;
    private final LookupQueue.Room numbers;
    private final LookupQueue.Room input;
    private final LookupQueue.Room work;
    private final LookupQueue.Room output;
    private final ArrowBuf args;

    /** Of the batch on its way; else null. */
    private ScoredRows scores;

    private int rows;

    /**
     * @param queue stays the caller's
     */
    DeviceScorer(LookupQueue queue, DeviceModel model, BufferAllocator allocator) {
        this.queue = queue;
        this.model = model;
        this.allocator = allocator;
        DensePlan plan = model.plan().scoring().model();
        run = new DenseRun(model.weights());
        numberWidth = model.plan().scoring().numbers();
        valueWidth = plan.inputWidth() - numberWidth;
        outputWidth = plan.outputWidth();
        numbers = queue.newRoom();
        input = queue.newRoom();
        work = queue.newRoom();
        output = queue.newRoom();
        args = allocator.buffer(DenseRun.ARGS_BYTES);
    }

    /** How many values so many rows have. */
    long values(int ofRows) {
        return Math.max(1, (long) ofRows * valueWidth);
    }

    /** Makes room for a batch, and enqueues copying its numbers. */
    void begin(LookupInput batch) throws BackendException {
        if (batch.defect() != null) {
            throw new BackendException(batch.defect());
        }
        rows = batch.rows();
        long numberBytes = (long) Float.BYTES * rows * numberWidth;
        numbers.reserve(Math.max(1, numberBytes));
        input.reserve(run.inputBytes(rows));
        work.reserve(Math.max(1, run.workBytes(rows)));
        output.reserve(outputBytes());
        if (numberBytes > 0) {
            queue.copyToDevice(numbers.address(), batch.numbers(), numberBytes);
        }
    }

    private long outputBytes() {
        return (long) Float.BYTES * rows * outputWidth;
    }

    /**
     * Enqueues the model.
     *
     * @param values where the rows' values are
     */
    void score(long values) throws BackendException {
        run.enqueue(
                queue,
                args.memoryAddress(),
                rows,
                new DenseRun.Source(values, valueWidth, numbers.address(), numberWidth),
                new DenseRun.Places(
                        model.address(), input.address(), work.address(), output.address()));
    }

    /** Checks how many values the batch had. */
    void requireValues(long count) throws BackendException {
        if (count != (long) rows * valueWidth) {
            throw new BackendException(
                    "rows have as many values as their model reads: rows="
                            + rows
                            + ", values="
                            + count
                            + ", needed="
                            + (long) rows * valueWidth
                            + "; check requests before they are batched");
        }
    }

    /** Enqueues copying the scores, once the model is enqueued. */
    void startCopy() throws BackendException {
        drop();
        scores = new ScoredRows(allocator, rows, outputWidth);
        copyAgain();
    }

    /** The same once the model was enqueued again. */
    void copyAgain() throws BackendException {
        queue.copyToHost(scores.address(), output.address(), outputBytes());
    }

    /**
     * The scores, once they are copied.
     *
     * @param columns takes over the memory that the result has holds of its own on
     */
    ColumnBatch scores(CloseStack columns) {
        ScoredRows taken = columns.push(scores);
        scores = null;
        return taken.build();
    }

    /** Those of a batch that failed. */
    private void drop() {
        if (scores != null) {
            scores.close();
            scores = null;
        }
    }

    @Override
    public void close() {
        drop();
        args.close();
    }
}
