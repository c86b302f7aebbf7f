package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.TestRequests;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A backend with a corpus, and the time of what it does. One thread's. */
final class SearchRig implements AutoCloseable {

    static final long MEMORY_LIMIT_BYTES = 8L << 30;
    private static final int BLOCK_CHANGES = 16_384;
    private static final int BLOCKS_PER_THREAD = 3;

    private final Backend backend;
    private final CompiledProgram<SearchedBatch> program;
    private final Resident corpus;
    private final SetColumns columns;
    private long changes;

    /**
     * Both are closed with it.
     *
     * @param program with an empty corpus
     */
    SearchRig(Backend backend, CompiledProgram<SearchedBatch> program) {
        this.backend = backend;
        this.program = program;
        corpus = program.residents().get(0);
        columns = new SetColumns(backend.allocator());
    }

    /**
     * An empty corpus.
     *
     * @param documents it will have at most about as many
     */
    static SearchRig open(BackendChoice choice, long documents) throws BackendException {
        Backend backend =
                choice == BackendChoice.CUDA
                        ? CudaBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES))
                        : CpuBackend.open(TestRequests.of(MEMORY_LIMIT_BYTES));
        try {
            return new SearchRig(backend, backend.compile(plan(documents)));
        } catch (BackendException | RuntimeException e) {
            backend.close();
            throw e;
        }
    }

    /** Room for about so many documents. */
    static SearchPlan plan(long documents) {
        return new SearchPlan(
                new CorpusPlan("documents", (1L << 30) + 1_024 * documents), Similarity.MAX);
    }

    /**
     * What loading took.
     *
     * @param wallSeconds in all, drawing of the documents included
     * @param applySeconds in the backend, one thread
     */
    record Loaded(double wallSeconds, double applySeconds) {

        static final Loaded NOTHING = new Loaded(0, 0);

        Loaded and(Loaded more) {
            return new Loaded(wallSeconds + more.wallSeconds, applySeconds + more.applySeconds);
        }
    }

    /**
     * Adds documents of which each has its number as id; several threads draw them.
     *
     * @param first the first one that is added
     * @param step from one to the next
     */
    Loaded load(SetData data, long first, long step) throws Exception {
        int threads = Math.max(1, (int) (Runtime.getRuntime().availableProcessors() / step));
        ExecutorService drawers = Executors.newFixedThreadPool(threads);
        Deque<Future<SetBlock>> blocks = new ArrayDeque<>();
        long start = System.nanoTime();
        long applying = 0;
        try {
            ThreadLocal<SetData.Room> rooms = ThreadLocal.withInitial(SetData.Room::new);
            long next = first;
            while (next < data.documents() || !blocks.isEmpty()) {
                while (next < data.documents() && blocks.size() < BLOCKS_PER_THREAD * threads) {
                    long from = next;
                    blocks.add(drawers.submit(() -> drawn(data, from, step, rooms.get())));
                    next += BLOCK_CHANGES * step;
                }
                applying += apply(blocks.remove().get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("documents could not be drawn", e.getCause());
        } finally {
            drawers.shutdownNow();
        }
        return new Loaded((System.nanoTime() - start) / 1e9, applying / 1e9);
    }

    private static SetBlock drawn(SetData data, long first, long step, SetData.Room room) {
        SetBlock block = new SetBlock(BLOCK_CHANGES);
        for (long i = first; i < data.documents() && block.changes() < BLOCK_CHANGES; i += step) {
            block.upsert(i, data, i, i, room);
        }
        return block;
    }

    /** Applies changes, and returns how many nanoseconds the backend took. */
    long apply(SetBlock block) throws BackendException {
        try (ColumnBatch batch = columns.changes(block)) {
            changes += batch.rows();
            long start = System.nanoTime();
            corpus.apply(batch);
            return System.nanoTime() - start;
        }
    }

    /** Columns of queries that see all changes so far; the caller closes them. */
    ColumnBatch queries(List<SetQuery> queries) {
        return columns.queries(queries, changes);
    }

    SearchedBatch search(ColumnBatch queries) throws BackendException {
        return program.submit(queries).await();
    }

    /**
     * What a batch took, in milliseconds.
     *
     * @param whole until the answers were here
     * @param enqueuing until all of it was enqueued, while the device may have begun
     * @param device from where its stream began to where it ended
     */
    record Times(double whole, double enqueuing, double device) {

        /** What was done before the device began, and after it ended. */
        double beside() {
            return whole - device;
        }
    }

    /** Searches. */
    Times time(ColumnBatch queries) throws BackendException {
        long start = System.nanoTime();
        Submission<SearchedBatch> submission = program.submit(queries);
        long enqueued = System.nanoTime();
        SearchedBatch found = submission.await();
        long end = System.nanoTime();
        found.close();
        return new Times((end - start) / 1e6, (enqueued - start) / 1e6, found.deviceNanos() / 1e6);
    }

    long bytes() {
        return corpus.bytes();
    }

    @Override
    public void close() {
        program.close();
        backend.close();
    }
}
