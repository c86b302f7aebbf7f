package io.flinkgpu.sql.model;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.ProcessFailures;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Answers requests in batches, on a thread of its own: a batch is what came while the batch before was on its
 * way, within the batch policy's limits. A batch that a GPU has no memory for runs on the CPU, unless the plan
 * keeps something where batches run. After a failure no request is answered. {@link #ask} may be called by any
 * thread.
 *
 * @param <Q> a request
 * @param <A> its answer
 * @param <R> result of a batch
 */
final class ModelBatches<Q, A, R extends AutoCloseable> implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(ModelBatches.class);

    private final ModelWork<Q, A, R> work;
    private final Plan<R> plan;
    private final BatchPolicy policy;
    private final BackendFactory factory;
    private final OpenRequest request;
    private final Thread thread;
    private final BlockingQueue<Asked<Q, A>> submitted = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private volatile Throwable failure;

    /** What was taken of what was submitted, and is not all answered yet; the thread's. */
    private final List<Asked<Q, A>> taken = new ArrayList<>();

    /** The requests of the open batch; the thread's. */
    private final List<Asked<Q, A>> open = new ArrayList<>();

    private ModelBatches(
            ModelWork<Q, A, R> work,
            BatchPolicy policy,
            BackendFactory factory,
            OpenRequest request,
            String name) {
        this.work = work;
        this.plan = work.plan();
        this.policy = policy;
        this.factory = factory;
        this.request = request;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    }

    /**
     * Opens a backend and waits until all is loaded there. The caller closes what it gets.
     *
     * @param request its key is filled with zeros when the backend is closed
     */
    static <Q, A, R extends AutoCloseable> ModelBatches<Q, A, R> open(
            ModelWork<Q, A, R> work,
            BatchPolicy policy,
            BackendFactory factory,
            OpenRequest request,
            String threadName)
            throws Exception {
        ModelBatches<Q, A, R> batches =
                new ModelBatches<>(work, policy, factory, request, threadName);
        batches.thread.start();
        try {
            batches.opened.get();
        } catch (ExecutionException e) {
            ProcessFailures.rethrow(e.getCause());
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (InterruptedException e) {
            batches.close();
            throw e;
        }
        return batches;
    }

    /** The answer to a request, or why there is none, with nothing of the request. */
    CompletableFuture<A> ask(Q asked) {
        Asked<Q, A> one = new Asked<>(asked, new CompletableFuture<>());
        submitted.add(one);
        // Whoever sees none was in the queue before it was emptied of failed requests.
        Throwable failed = failure;
        if (failed != null) {
            one.answer.completeExceptionally(failed);
        }
        return one.answer;
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
                CompiledProgram<R> program = backend.compile(plan)) {
            work.load(program, backend.allocator(), policy);
            BatchInput<Q> input = work.input(backend.allocator(), policy);
            try (ColumnBuilder builder = input.builder()) {
                opened.complete(null);
                answerAll(input, builder, program);
            }
        } catch (Throwable t) {
            failure = t;
            opened.completeExceptionally(t);
            taken.forEach(asked -> asked.answer.completeExceptionally(t));
            submitted.forEach(asked -> asked.answer.completeExceptionally(t));
        } finally {
            Arrays.fill(request.hashKey(), (byte) 0);
        }
    }

    private void answerAll(BatchInput<Q> input, ColumnBuilder builder, CompiledProgram<R> program)
            throws Exception {
        while (true) {
            taken.add(submitted.take());
            submitted.drainTo(taken);
            for (Asked<Q, A> asked : taken) {
                if (!input.appender().test(asked.request)) {
                    flush(builder, program);
                    // An empty batch takes any request.
                    input.appender().test(asked.request);
                }
                open.add(asked);
            }
            flush(builder, program);
            taken.clear();
        }
    }

    private void flush(ColumnBuilder builder, CompiledProgram<R> program) throws Exception {
        if (open.isEmpty()) {
            return;
        }
        try (ColumnBatch batch = builder.build()) {
            answer(batch, program);
        }
        open.clear();
    }

    @SuppressWarnings("try") // Results are no locks: an interrupt ends the thread in any case.
    private void answer(ColumnBatch batch, CompiledProgram<R> program) throws Exception {
        try (R result = program.submit(batch).await()) {
            deliver(batch, result);
        } catch (DeviceOutOfMemoryException e) {
            if (!plan.residents().isEmpty()) {
                throw e;
            }
            LOG.warn("a batch runs on the CPU, as the GPU has no memory for it", e);
            try (Backend cpu = CpuBackend.open(request);
                    CompiledProgram<R> onCpu = cpu.compile(plan);
                    R result = onCpu.submit(batch).await()) {
                deliver(batch, result);
            }
        }
    }

    private void deliver(ColumnBatch batch, R result) throws BackendException {
        String defect = plan.defectOf(result, batch);
        if (defect != null) {
            throw new BackendException(defect + "; this is a defect of the backend");
        }
        for (int row = 0; row < open.size(); row++) {
            Asked<Q, A> asked = open.get(row);
            asked.answer.complete(work.answer(result, row, asked.request));
        }
    }

    /** A request on its way. */
    private record Asked<Q, A>(Q request, CompletableFuture<A> answer) {}
}
