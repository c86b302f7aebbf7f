package io.flinkgpu.backend.cuda.search;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Engines;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.TileLimits;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Searches by the kernels' own source, compiled for the CPU with sanitizers, and with all that the CUDA
 * backend does on the host.
 */
public final class EmulatedSearch implements Backend {

    private static final Placement PLACEMENT = new Placement(Placement.Kind.CPU, 0, "emulated", 1);

    /** Inverted indexes are always the cheaper way, or never. */
    private static final SearchCosts INVERTS = new SearchCosts(0, 0, 1);

    private static final SearchCosts SCANS = new SearchCosts(1, 1, 0);

    private static final int ALL_SHARED_BYTES = 230_400;
    private static final int ROUND_QUERIES = 64;
    private static final int MULTIPROCESSORS = 2;

    private final BufferAllocator allocator = new RootAllocator(256L << 20);
    private final Engines engines;
    private final EmulatedDevice device;

    private EmulatedSearch(SearchShape shape, TileLimits limits, int maxNumbers)
            throws IOException {
        device = new EmulatedDevice();
        engines = Engines.of(SearchPlan.class, plan -> new Search(plan, shape, limits, maxNumbers));
    }

    /** Tiles as they are, all of them scanned. */
    public static EmulatedSearch scanning() throws IOException {
        return new EmulatedSearch(
                shape(ALL_SHARED_BYTES, SearchAbi.SEARCH_TILE_SLOTS, SCANS),
                TileLimits.STANDARD,
                56_000);
    }

    /** Small tiles that count by inverted indexes, after a sample of what is searched. */
    public static EmulatedSearch inverting() throws IOException {
        return new EmulatedSearch(
                shape(ALL_SHARED_BYTES, 300, INVERTS),
                new TileLimits(1_000, 12_000, 12_000),
                56_000);
    }

    /**
     * Blocks that have little shared memory, and few numbers for elements, so that most documents are wide.
     *
     * @param sharedBytes of a block
     */
    public static EmulatedSearch withLittleSharedMemory(int sharedBytes) throws IOException {
        return new EmulatedSearch(
                shape(sharedBytes, 300, INVERTS), new TileLimits(1_000, 12_000, 12_000), 60);
    }

    private static SearchShape shape(int sharedBytes, int sampleDocuments, SearchCosts costs) {
        return new SearchShape(
                MULTIPROCESSORS, sharedBytes, ROUND_QUERIES, sampleDocuments, () -> costs);
    }

    /** From now on no result gets to the host, which has that of the batch before. */
    public void answerLate() {
        device.answerLate();
    }

    @Override
    public Placement placement() {
        return PLACEMENT;
    }

    @Override
    public BufferAllocator allocator() {
        return allocator;
    }

    @Override
    public <R extends AutoCloseable> CompiledProgram<R> compile(Plan<R> plan)
            throws BackendException {
        return engines.compile(plan, PLACEMENT);
    }

    @Override
    public void close() {
        allocator.close();
        device.close();
    }

    private final class Search implements CompiledProgram<SearchedBatch> {

        private final CloseStack resources = new CloseStack();
        private final Documents documents;
        private final Supplier<SearchRun> runs;
        private final Deque<SearchRun> idle = new ArrayDeque<>();

        Search(SearchPlan plan, SearchShape shape, TileLimits limits, int maxNumbers) {
            EmulatedDevice.Queue queue = resources.push(device.queue());
            EmulatedDevice.Memory memory = resources.push(device.memory(plan.corpus().bytes()));
            DeviceCorpus tiles =
                    resources.push(
                            new DeviceCorpus(
                                    plan.corpus(),
                                    new Corpus(limits, maxNumbers, Resident.BATCHES_BESIDE),
                                    queue,
                                    memory,
                                    allocator));
            documents = new Documents(plan.corpus(), tiles);
            runs =
                    () ->
                            resources.push(
                                    new SearchRun(
                                            resources.push(device.queue()),
                                            tiles,
                                            shape,
                                            plan.similarity(),
                                            allocator));
        }

        @Override
        public List<Resident> residents() {
            return List.of(documents);
        }

        @Override
        public Map<String, LongSupplier> gauges() {
            return documents.tiles.gauges().all();
        }

        @Override
        public Submission<SearchedBatch> submit(ColumnBatch batch) throws BackendException {
            if (batch.rows() == 0) {
                return SearchedBatch::nothing;
            }
            SearchRun run = idle.isEmpty() ? runs.get() : idle.pop();
            run.start(new SearchInput(batch));
            return () -> {
                run.readEarlier();
                SearchedBatch found = run.finish(1);
                idle.push(run);
                return found;
            };
        }

        @Override
        public void close() {
            resources.close();
        }
    }

    private static final class Documents implements Resident {

        private final CorpusPlan plan;
        private final DeviceCorpus tiles;
        private long version;

        Documents(CorpusPlan plan, DeviceCorpus tiles) {
            this.plan = plan;
            this.tiles = tiles;
        }

        @Override
        public boolean changesBesideBatches() {
            return true;
        }

        @Override
        public void apply(ColumnBatch changes) throws BackendException {
            tiles.apply(changes);
            version++;
        }

        @Override
        public long version() {
            return version;
        }

        @Override
        public long bytes() {
            return plan.bytes();
        }
    }
}
