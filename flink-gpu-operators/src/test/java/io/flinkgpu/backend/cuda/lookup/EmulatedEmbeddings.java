package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.Engines;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.EmulatedMemory;
import io.flinkgpu.backend.cuda.dense.DenseKernel;
import io.flinkgpu.backend.cuda.dense.DenseRun;
import io.flinkgpu.backend.cuda.dense.DenseWeights;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Lookups by the kernels' own source, compiled for the CPU with sanitizers, and with all that the CUDA backend does on
 * the host. Caches change before every few batches.
 */
public final class EmulatedEmbeddings implements Backend {

    private static final Placement PLACEMENT = new Placement(Placement.Kind.CPU, 0, "emulated", 1);
    private static final int MULTIPROCESSORS = 2;
    private static final int CAPABILITY = 90;
    private static final int ALL_ENTRIES = 1 << 22;

    /** Of the vectors that are to come into a cache, or to leave it, where few are. */
    public static final int LISTED = 4;

    private final BufferAllocator allocator = new RootAllocator(256L << 20);
    private final EmulatedMemory process = new EmulatedMemory("lookup");
    private final LookupPace pace;
    private final boolean hasSpare;
    private final boolean isTranslated;
    private final BooleanSupplier lacks;
    private final Map<LookupKernel, Integer> launches = new EnumMap<>(LookupKernel.class);

    /** Whether a batch is on its way; else memory is never lacked. */
    private boolean isLookedUp;

    private EmulatedEmbeddings(
            LookupPace pace, boolean hasSpare, boolean isTranslated, BooleanSupplier lacks)
            throws IOException {
        this.pace = pace;
        this.hasSpare = hasSpare;
        this.isTranslated = isTranslated;
        this.lacks = lacks;
    }

    /** Caches change after every second batch. */
    public static EmulatedEmbeddings open() throws IOException {
        return lacking(() -> false);
    }

    /**
     * The same, where memory is not always there.
     *
     * @param lacks asked whenever memory is needed for a batch
     */
    public static EmulatedEmbeddings lacking(BooleanSupplier lacks) throws IOException {
        return new EmulatedEmbeddings(new LookupPace(2, 100, ALL_ENTRIES), true, true, lacks);
    }

    /** There is no memory for caches, whatever a plan asks for, and no host memory whose addresses are known. */
    public static EmulatedEmbeddings withoutCaches() throws IOException {
        return new EmulatedEmbeddings(
                new LookupPace(1, 100, ALL_ENTRIES), false, false, () -> false);
    }

    /**
     * There are caches, but no host memory whose addresses are known, so that lines are read in an order; and of vectors
     * that a cache is to have, or not, few are listed.
     */
    public static EmulatedEmbeddings ordering() throws IOException {
        return new EmulatedEmbeddings(new LookupPace(2, 100, LISTED), true, false, () -> false);
    }

    /** How often lines were put in an order. */
    public int ordered() {
        return launches(LookupKernel.ORDER);
    }

    /** How often a kernel was launched. */
    int launches(LookupKernel kernel) {
        return launches.getOrDefault(kernel, 0);
    }

    private boolean isLacking() {
        return isLookedUp && lacks.getAsBoolean();
    }

    private void requireMemory() throws BackendException {
        if (isLacking()) {
            throw new DeviceOutOfMemoryException("none just now");
        }
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
        return Engines.of(EmbeddingPlan.class, lookup -> new Lookup(lookup, null))
                .and(ScorePlan.class, scores -> new Lookup(scores.lookup(), scores))
                .compile(plan, PLACEMENT);
    }

    @Override
    public void close() {
        allocator.close();
        process.close();
    }

    private final class Lookup implements CompiledProgram<TransformedBatch> {

        private final CloseStack resources = new CloseStack();
        private final DeviceTables tables;
        private final EmulatedTables resident;
        private final Deque<LookupRun> idle = new ArrayDeque<>();

        private final ScorePlan scores;
        private final DeviceModel model;

        /**
         * @param scores null if nothing is scored
         */
        Lookup(EmbeddingPlan plan, ScorePlan scores) throws BackendException {
            this.scores = scores;
            model = scores == null ? null : upload(scores);
            Queue queue = resources.push(new Queue());
            try {
                tables =
                        resources.push(
                                new DeviceTables(
                                        plan.tables(), queue, new Memory(), allocator, pace));
            } catch (BackendException | RuntimeException | Error e) {
                resources.closeAfter(e);
                throw e;
            }
            resident = new EmulatedTables(tables, plan.tables().bytes());
        }

        @Override
        public List<Resident> residents() {
            return List.of(resident);
        }

        @Override
        public Map<String, LongSupplier> gauges() {
            return tables.gauges().all();
        }

        @Override
        public Submission<TransformedBatch> submit(ColumnBatch batch) throws BackendException {
            LookupRun run = idle.isEmpty() ? newRun() : idle.pop();
            isLookedUp = true;
            try {
                if (tables.isAdmissionDue()) {
                    tables.admit();
                }
                run.start(LookupInput.of(batch, scores));
            } catch (BackendException | RuntimeException | Error e) {
                idle.push(run);
                throw e;
            } finally {
                isLookedUp = false;
            }
            return () -> finish(run);
        }

        private TransformedBatch finish(LookupRun run) throws BackendException {
            CloseStack columns = new CloseStack();
            isLookedUp = true;
            try {
                return new TransformedBatch(run.finish(columns), 1);
            } finally {
                isLookedUp = false;
                idle.push(run);
                columns.close();
            }
        }

        private DeviceModel upload(ScorePlan plan) {
            DenseWeights weights = new DenseWeights(plan.scoring().model(), CAPABILITY);
            byte[] bytes = weights.toBytes();
            long address = process.take(bytes.length);
            resources.push(() -> process.giveBack(address));
            try (ArrowBuf copy = allocator.buffer(bytes.length)) {
                copy.setBytes(0, bytes);
                process.write(address, copy.memoryAddress(), bytes.length);
            }
            return new DeviceModel(plan, weights, address);
        }

        private LookupRun newRun() {
            Queue queue = resources.push(new Queue());
            DeviceScorer scorer = model == null ? null : new DeviceScorer(queue, model, allocator);
            return resources.push(new LookupRun(queue, tables, MULTIPROCESSORS, allocator, scorer));
        }

        @Override
        public void close() {
            resources.close();
        }
    }

    private static final class EmulatedTables implements Resident {

        private final DeviceTables tables;
        private final long bytes;
        private long version;

        EmulatedTables(DeviceTables tables, long bytes) {
            this.tables = tables;
            this.bytes = bytes;
        }

        @Override
        public void apply(ColumnBatch changes) throws BackendException {
            tables.apply(changes);
            version++;
        }

        @Override
        public long version() {
            return version;
        }

        @Override
        public long bytes() {
            return bytes;
        }
    }

    private final class Memory implements LookupMemory {

        @Override
        public Piece take(long bytes) throws BackendException {
            requireMemory();
            long address = process.take(bytes);
            return new Piece() {
                @Override
                public long address() {
                    return address;
                }

                @Override
                public void close() {
                    process.giveBack(address);
                }
            };
        }

        @Override
        public Piece takeSpare(long bytes) throws BackendException {
            return hasSpare && !isLacking() ? take(bytes) : null;
        }

        @Override
        public long translatedBytes() {
            return isTranslated ? Long.MAX_VALUE : 0;
        }

        @Override
        public HostPiece takeHost(long bytes) {
            long address = process.take(bytes);
            process.zero(address, bytes);
            ArrowBuf copy = allocator.buffer(bytes);
            return new HostPiece() {
                @Override
                public long deviceAddress() {
                    return address;
                }

                @Override
                public void write(long offset, long source, long count) {
                    MemoryUtil.copyMemory(source, copy.memoryAddress() + offset, count);
                    // The process has one pipe; of a device any thread writes such memory.
                    synchronized (process) {
                        process.write(address + offset, source, count);
                    }
                }

                @Override
                public void read(long offset, long target, long count) {
                    MemoryUtil.copyMemory(copy.memoryAddress() + offset, target, count);
                }

                @Override
                public void close() {
                    copy.close();
                    process.giveBack(address);
                }
            };
        }
    }

    private final class Queue implements LookupQueue, AutoCloseable {

        private final CloseStack rooms = new CloseStack();
        private int number;

        @Override
        public Room newRoom() {
            return rooms.push(new EmulatedRoom());
        }

        @Override
        public void zero(long address, long bytes) {
            process.zero(address, bytes);
        }

        @Override
        public void copyToDevice(long address, long hostAddress, long bytes) {
            process.write(address, hostAddress, bytes);
        }

        @Override
        public void copyToHost(long hostAddress, long address, long bytes) {
            process.read(hostAddress, address, bytes);
        }

        @Override
        public void launch(LookupKernel kernel, LaunchConfig shape, long args) {
            launches.merge(kernel, 1, Integer::sum);
            process.launch(
                    kernel,
                    shape,
                    args,
                    switch (kernel) {
                        case PUT -> LookupAbi.LOOKUP_PUT_ARGS_BYTES;
                        case COUNT, CHOOSE -> LookupAbi.LOOKUP_RANK_ARGS_BYTES;
                        default -> LookupAbi.LOOKUP_ARGS_BYTES;
                    });
        }

        @Override
        public void launch(DenseKernel kernel, LaunchConfig shape, long args) {
            process.launch(
                    LookupKernel.values().length + kernel.ordinal(),
                    shape,
                    args,
                    DenseRun.ARGS_BYTES);
        }

        @Override
        public void startKernels() {}

        @Override
        public void endKernels() {}

        @Override
        public void putNumber(long address) {
            number++;
            process.writeInt(address, number);
        }

        @Override
        public void checkNumber(long hostAddress) throws BackendException {
            ResultCheck.requireNumber(number, MemoryUtil.getInt(hostAddress));
        }

        @Override
        public void await() {}

        @Override
        public void close() {
            rooms.close();
        }
    }

    /** As large as was asked for, so that the sanitizer sees where it ends. Lacking memory is taken from it, too. */
    private final class EmulatedRoom implements LookupQueue.Room, AutoCloseable {

        private long address;
        private long size;

        @Override
        public boolean reserve(long bytes) throws BackendException {
            if (bytes == size && !isLacking()) {
                return false;
            }
            close();
            requireMemory();
            address = process.take(bytes);
            size = bytes;
            return true;
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public void close() {
            if (address != 0) {
                process.giveBack(address);
                address = 0;
                size = 0;
            }
        }
    }
}
