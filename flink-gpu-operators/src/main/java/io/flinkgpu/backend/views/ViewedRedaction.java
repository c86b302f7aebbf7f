package io.flinkgpu.backend.views;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.record.RecordTexts;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Redacts batches by a program that searches records as they are. The other texts of the records, if there are any, are
 * rows of a second batch for that program, which says in which of them something is found; these records, few in most
 * logs, are finished on the host.
 */
@Internal
public final class ViewedRedaction implements CompiledProgram<RedactedBatch> {

    private final CompiledProgram<RedactedBatch> program;
    private final BufferAllocator allocator;

    /** Null where records are searched as they are. */
    private final RecordTexts texts;

    private final RecordFinish finish;

    /** Of batches that were not awaited yet, or never are. */
    private final Set<TextRows> open = new HashSet<>();

    /** Makes the program that searches records as they are. */
    @FunctionalInterface
    public interface Engine {
        /** The caller closes it. */
        CompiledProgram<RedactedBatch> compile(CompiledRules plainRules) throws BackendException;
    }

    private ViewedRedaction(
            CompiledProgram<RedactedBatch> program,
            BufferAllocator allocator,
            RedactPlan plan,
            byte[] hashKey) {
        this.program = program;
        this.allocator = allocator;
        texts = plan.rules().ruleSet().isPlain() ? null : new RecordTexts(plan.rules().ruleSet());
        finish = new RecordFinish(allocator, plan, hashKey);
    }

    /**
     * The program of a plan: the engine's own where that is enough.
     *
     * @param allocator of columns
     * @param hashKey empty when the plan needs none
     */
    public static CompiledProgram<RedactedBatch> compile(
            RedactPlan plan, BufferAllocator allocator, byte[] hashKey, Engine engine)
            throws BackendException {
        CompiledProgram<RedactedBatch> program = engine.compile(plan.rules().plain());
        if (plan.rules().ruleSet().isPlain() && !plan.audits()) {
            return program;
        }
        try {
            return new ViewedRedaction(program, allocator, plan, hashKey);
        } catch (RuntimeException | Error e) {
            program.close();
            throw e;
        }
    }

    @Override
    public Submission<RedactedBatch> submit(ColumnBatch batch) throws BackendException {
        Submission<RedactedBatch> plain = program.submit(batch);
        TextRows rows = new TextRows();
        open.add(rows);
        Submission<RedactedBatch> views = null;
        // A batch that has no room is tried in parts by whom it is awaited.
        OutOfMemoryException noRoom = null;
        BackendException failure = null;
        if (texts != null) {
            try {
                rows.addAll(batch.text(0), texts, allocator);
                views = rows.isAny() ? program.submit(rows.batch()) : null;
            } catch (OutOfMemoryException e) {
                noRoom = e;
            } catch (BackendException e) {
                failure = e;
            }
        }
        return new Pending(batch, plain, rows, views, noRoom, failure);
    }

    /** A batch under way. */
    private final class Pending implements Submission<RedactedBatch> {

        private final ColumnBatch batch;
        private final Submission<RedactedBatch> plain;
        private final TextRows rows;
        private final Submission<RedactedBatch> views;
        private final OutOfMemoryException noRoom;
        private final BackendException failure;

        Pending(
                ColumnBatch batch,
                Submission<RedactedBatch> plain,
                TextRows rows,
                Submission<RedactedBatch> views,
                OutOfMemoryException noRoom,
                BackendException failure) {
            this.batch = batch;
            this.plain = plain;
            this.rows = rows;
            this.views = views;
            this.noRoom = noRoom;
            this.failure = failure;
        }

        @Override
        public RedactedBatch await() throws BackendException {
            open.remove(rows);
            try (rows) {
                RedactedBatch result;
                try {
                    result = plain.await();
                } catch (BackendException | RuntimeException | Error e) {
                    awaitViewsAfter(e);
                    throw e;
                }
                try {
                    if (noRoom != null) {
                        throw noRoom;
                    }
                    if (failure != null) {
                        throw failure;
                    }
                    long viewNanos = views == null ? 0 : awaitViews();
                    return finish.of(batch.text(0), result, rows, viewNanos);
                } catch (BackendException | RuntimeException | Error e) {
                    result.close();
                    throw e;
                }
            }
        }

        private long awaitViews() throws BackendException {
            try (RedactedBatch redacted = views.await()) {
                rows.noteChanged(redacted);
                return redacted.deviceNanos();
            }
        }

        /** The device may still read the rows, so they stay until it is done with them. */
        private void awaitViewsAfter(Throwable e) {
            if (views != null) {
                try {
                    views.await().close();
                } catch (BackendException | RuntimeException | Error also) {
                    e.addSuppressed(also);
                }
            }
        }

        @Override
        public boolean isDone() throws BackendException {
            return plain.isDone() && (views == null || views.isDone());
        }
    }

    @Override
    public Map<String, LongSupplier> gauges() {
        return program.gauges();
    }

    @Override
    public void close() {
        program.close();
        open.forEach(TextRows::close);
    }
}
