package io.flinkgpu.sql.model;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.RuleCompiler;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Redacts rows of texts in batches, on a thread of its own: a batch is what came while the batch before was
 * on its way, within the batch policy's limits. A batch that a GPU has no memory for runs on the CPU. After a
 * failure no row is redacted, and none passes. {@link #redact} may be called by any thread.
 */
final class TextBatches implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(TextBatches.class);

    private final RedactPlan plan;
    private final BackendFactory factory;
    private final OpenRequest request;
    private final BatchPolicy policy;
    private final Thread thread;
    private final BlockingQueue<Row> submitted = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private volatile Throwable failure;

    /** What was taken of what was submitted, and is not all redacted yet; the thread's. */
    private final List<Row> taken = new ArrayList<>();

    /** The texts of the open batch; the thread's. */
    private final List<Place> open = new ArrayList<>();

    private TextBatches(
            RedactPlan plan,
            BackendFactory factory,
            OpenRequest request,
            BatchPolicy policy,
            String name) {
        this.plan = plan;
        this.factory = factory;
        this.request = request;
        this.policy = policy;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    }

    /**
     * Opens a backend and waits until it is there. The caller closes what it gets.
     *
     * @param request its key is filled with zeros when the backend is closed
     */
    static TextBatches open(
            Redaction redaction, BackendFactory factory, OpenRequest request, String threadName)
            throws Exception {
        RedactPlan plan =
                new RedactPlan(RuleCompiler.compile(redaction.rules()).requireMatchable());
        TextBatches batches =
                new TextBatches(
                        plan, factory, request, redaction.options().batchPolicy(), threadName);
        batches.thread.start();
        try {
            batches.opened.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
        return batches;
    }

    /**
     * Redacts the texts of a row.
     *
     * @param texts of UTF-8, null for null; not to be changed from here on
     * @return texts likewise, or why they could not be redacted, with nothing of them
     */
    CompletableFuture<byte[][]> redact(byte[][] texts) {
        Row row = new Row(texts);
        submitted.add(row);
        // Whoever sees none was in the queue before it was emptied of failed rows.
        Throwable failed = failure;
        if (failed != null) {
            row.redacted.completeExceptionally(failed);
        }
        return row.redacted;
    }

    /** Ends the thread, and fails what is on its way. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.error(
                    "a batch was not done before the function closed: waited={}, thread={}; restart"
                            + " the TaskManager if the thread does not end",
                    CLOSE_TIMEOUT,
                    thread.getName());
        }
    }

    private void run() {
        try (Backend backend = factory.open(request);
                CompiledProgram<RedactedBatch> program = backend.compile(plan);
                BatchBuilder batch =
                        new BatchBuilder(
                                backend.allocator(), policy.maxRows(), policy.maxBytes(), 0)) {
            opened.complete(null);
            while (true) {
                taken.add(submitted.take());
                submitted.drainTo(taken);
                for (Row row : taken) {
                    add(row, batch, program);
                }
                flush(batch, program);
                taken.clear();
            }
        } catch (Throwable t) {
            failure = t;
            opened.completeExceptionally(t);
            taken.forEach(row -> row.redacted.completeExceptionally(t));
            submitted.forEach(row -> row.redacted.completeExceptionally(t));
        } finally {
            Arrays.fill(request.hashKey(), (byte) 0);
        }
    }

    private void add(Row row, BatchBuilder batch, CompiledProgram<RedactedBatch> program)
            throws BackendException {
        if (row.left == 0) {
            row.redacted.complete(row.texts);
        }
        for (int i = 0; i < row.texts.length; i++) {
            byte[] text = row.texts[i];
            if (text == null) {
                continue;
            }
            if (!batch.append(text, 0, text.length)) {
                flush(batch, program);
                // An empty batch takes any text.
                batch.append(text, 0, text.length);
            }
            open.add(new Place(row, i));
        }
    }

    private void flush(BatchBuilder builder, CompiledProgram<RedactedBatch> program)
            throws BackendException {
        if (open.isEmpty()) {
            return;
        }
        try (ColumnBatch batch = builder.build()) {
            redact(batch, program);
        }
        open.clear();
    }

    private void redact(ColumnBatch batch, CompiledProgram<RedactedBatch> program)
            throws BackendException {
        try (RedactedBatch redacted = program.submit(batch).await()) {
            deliver(batch, redacted);
        } catch (DeviceOutOfMemoryException e) {
            LOG.warn("a batch runs on the CPU, as the GPU has no memory for it", e);
            try (Backend cpu = CpuBackend.open(request);
                    CompiledProgram<RedactedBatch> onCpu = cpu.compile(plan);
                    RedactedBatch redacted = onCpu.submit(batch).await()) {
                deliver(batch, redacted);
            }
        }
    }

    private void deliver(ColumnBatch batch, RedactedBatch redacted) throws BackendException {
        String defect = plan.defectOf(redacted, batch);
        if (defect != null) {
            throw new BackendException(defect + "; this is a defect of the backend");
        }
        for (int i = 0; i < redacted.rows(); i++) {
            open.get(i).put(redacted.changed(i) ? redacted.text().copyRow(i) : null);
        }
    }

    /** A row on its way. */
    private static final class Row {

        final byte[][] texts;
        final CompletableFuture<byte[][]> redacted = new CompletableFuture<>();

        /** Texts that are not redacted yet; the thread's. */
        int left;

        Row(byte[][] texts) {
            this.texts = texts.clone();
            this.left = (int) Arrays.stream(texts).filter(Objects::nonNull).count();
        }
    }

    /** Which text of a row is at a place of the open batch. */
    private record Place(Row row, int text) {

        /** Puts the redacted text there; null if it is as it was. */
        void put(byte[] redacted) {
            if (redacted != null) {
                row.texts[text] = redacted;
            }
            row.left--;
            if (row.left == 0) {
                row.redacted.complete(row.texts);
            }
        }
    }
}
