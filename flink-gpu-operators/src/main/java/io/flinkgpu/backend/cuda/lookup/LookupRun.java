package io.flinkgpu.backend.cuda.lookup;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A batch of requests on its way. All launches are enqueued at once; the host hears of the batch when its values are
 * there, and has some of it done again where vectors are on disk, or there was no room for its values.
 */
final class LookupRun implements AutoCloseable {

    private static final int WARP_LANES = 32;
    private static final int WARPS_OF_BLOCK = LookupAbi.LOOKUP_THREADS / WARP_LANES;
    private static final int LEAST_UNIQUE_LOG = 8;
    private static final long LEAST_ROOM = 1 << 16;

    /** Lines that take as long to be read again from the host as the kernels that read each once take more than one. */
    private static final int MOST_READ_AGAIN = 1024;

    /**
     * Lines of a page for which it pays to put all in the order of their pages first. On one H200 those of a page that
     * are read one after another take 0.2 us at least, and in no order 0.01 to 0.02 each.
     */
    private static final int LEAST_PAGE_LINES = 32;

    /** A batch like the one that was left to others would cost its launch again. */
    private static final int NOT_TRIED_BATCHES = 64;

    private final LookupQueue queue;
    private final DeviceTables tables;
    private final int multiprocessors;
    private final BufferAllocator allocator;
    private final CloseStack resources = new CloseStack();
    private final LookupQueue.Room work;
    private final LookupQueue.Room values;
    private final LookupQueue.Room uniqueKeys;
    private final LookupQueue.Room uniqueLines;
    private final LookupQueue.Room diskLines;
    private final LookupArgs args;
    private final LookupHead head;
    private final DeviceScorer scorer;
    private final FoundRows found;
    private final int lanes;
    private int epoch;

    /** Of the table of different vectors that are keys, of this epoch or of earlier ones. */
    private long uniqueBytes;

    /** Of values, that there is. */
    private long room;

    /** Of the batch that had most. */
    private long mostValues;

    /** Whether a batch had a bag that is not combined, so that the next may have one. */
    private boolean writesIds;

    /** Batches still to come that one launch is not tried for, since it has left one to others. */
    private int leftToOthers;

    /** Whether one launch looks the batch up. */
    private boolean isDirect;

    private LookupInput input;
    private LookupLayout layout;
    private int gatherBlocks;

    /** That of the tables when the batch found its vectors. */
    private long cacheVersion;

    /** What the batch waited for disks. */
    private long diskNanos;

    /**
     * @param queue stays the caller's, like the tables
     * @param allocator of memory that the queue copies
     * @param scorer has a model read the values, and is closed with this; null if there is none
     */
    LookupRun(
            LookupQueue queue,
            DeviceTables tables,
            int multiprocessors,
            BufferAllocator allocator,
            DeviceScorer scorer) {
        this.scorer = scorer;
        this.queue = queue;
        this.tables = tables;
        this.multiprocessors = multiprocessors;
        this.allocator = allocator;
        work = queue.newRoom();
        values = queue.newRoom();
        uniqueKeys = queue.newRoom();
        uniqueLines = queue.newRoom();
        diskLines = queue.newRoom();
        int dimension = 1;
        for (DeviceTable table : tables.all()) {
            dimension = Math.max(dimension, table.table().dimension());
        }
        lanes = Math.min(WARP_LANES, Integer.highestOneBit(2 * ((dimension + 3) / 4) - 1));
        try {
            if (scorer != null) {
                resources.push(scorer);
            }
            found = resources.push(new FoundRows(queue, allocator));
            ArrowBuf struct = resources.push(allocator.buffer(LookupAbi.LOOKUP_ARGS_BYTES));
            args = new LookupArgs(struct.memoryAddress());
            head = resources.push(new LookupHead(tables, allocator));
        } catch (RuntimeException | Error e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    /** Enqueues a batch. Does not wait. */
    void start(LookupInput newInput) throws BackendException {
        if (!newInput.isComplete()) {
            throw badBags();
        }
        if (scorer != null) {
            scorer.begin(newInput);
        }
        tables.countBatch();
        input = newInput;
        int hostLines = 0;
        long hostBytes = 0;
        boolean hasDisk = false;
        for (DeviceTable table : tables.all()) {
            if (table.hasUncached()) {
                hostLines = Math.max(hostLines, table.shape().lines());
                hostBytes += table.hostBytes();
                hasDisk |= table.hasDisk();
            }
        }
        long pages = (hostBytes >> LookupAbi.LOOKUP_PAGE_BITS) + 1;
        boolean isOrdered =
                hostBytes > tables.translatedBytes()
                        && head.hostLines() >= LEAST_PAGE_LINES * pages;
        layout = new LookupLayout(input, tables.all().size(), hostLines, isOrdered, hasDisk);
        work.reserve(layout.block.end());
        args.batch(input, layout, work.address(), tables);
        long linesOfBlock = (long) LookupAbi.LOOKUP_WARP_LINES * WARPS_OF_BLOCK;
        gatherBlocks =
                (int)
                        Math.min(
                                multiprocessors,
                                (layout.mostLines + linesOfBlock - 1) / linesOfBlock);
        args.diskLines(0);
        args.shape(lanes, WARPS_OF_BLOCK * gatherBlocks);
        makeRoom(
                scorer == null
                        ? Math.max(LEAST_ROOM, mostValues + mostValues / 8)
                        : scorer.values(input.rows()));
        // The device does this while the host still enqueues the copies.
        clear();
        layout.block.copyIn(
                (offset, host, bytes) -> queue.copyToDevice(work.address() + offset, host, bytes));
        isDirect =
                input.bagCount() > 0
                        && !writesIds
                        && leftToOthers == 0
                        && !hasDisk
                        && !isOrdered
                        && (hostLines == 0 || head.askedAgain() <= MOST_READ_AGAIN);
        leftToOthers = Math.max(0, leftToOthers - 1);
        queue.startKernels();
        if (isDirect) {
            cacheVersion = tables.cacheVersion();
            launch(LookupKernel.DIRECT, tiles(input.bagCount()));
        } else {
            find();
            write();
        }
        score();
        queue.endKernels();
        readHead();
        if (scorer == null) {
            found.start(input, foundPlaces(), room);
        } else {
            scorer.startCopy();
        }
    }

    private FoundRows.Places foundPlaces() {
        return new FoundRows.Places(
                values.address(),
                work.address() + layout.valueEnds,
                work.address() + layout.valueOffsets);
    }

    private void makeRoom(long needed) throws BackendException {
        if (needed > room || values.address() == 0) {
            values.reserve(Float.BYTES * needed);
            room = needed;
        }
        args.values(values.address(), room);
    }

    /** What is to be zero before vectors are found. */
    private void clear() throws BackendException {
        queue.zero(work.address(), layout.zeroBytes);
        startUnique();
    }

    /** Finds where vectors are, and reads those that are on the host. */
    private void find() throws BackendException {
        cacheVersion = tables.cacheVersion();
        launch(LookupKernel.BAGS, tiles(input.bagCount()));
        launch(LookupKernel.FIND, tiles(input.idCount()));
        LaunchConfig warps = new LaunchConfig(gatherBlocks, LookupAbi.LOOKUP_THREADS);
        if (layout.isOrdered) {
            launch(LookupKernel.ORDER, warps);
        }
        launch(LookupKernel.GATHER, warps);
    }

    private static LaunchConfig tiles(int items) {
        return new LaunchConfig((int) LookupLayout.tiles(items), LookupAbi.LOOKUP_THREADS);
    }

    private void startUnique() throws BackendException {
        int log = LEAST_UNIQUE_LOG;
        while (1L << log <= 2L * input.idCount()) {
            log++;
        }
        // First: if there is no memory for it, the keys have not got other memory unnoticed.
        uniqueLines.reserve((long) Integer.BYTES << log);
        boolean isOther = uniqueKeys.reserve((long) Long.BYTES << log);
        epoch++;
        if (isOther || epoch == LookupAbi.LOOKUP_EPOCHS) {
            epoch = 1;
        }
        if (epoch == 1) {
            uniqueBytes = 0;
        }
        // What was never used has garbage that may be taken for keys.
        long bytes = (long) Long.BYTES << log;
        if (bytes > uniqueBytes) {
            queue.zero(uniqueKeys.address() + uniqueBytes, bytes - uniqueBytes);
            uniqueBytes = bytes;
        }
        args.unique(uniqueKeys.address(), uniqueLines.address(), log, epoch);
    }

    /** Ids have values of their own where bags are not combined, which most lookups never ask for. */
    private void write() throws BackendException {
        long items = input.bagCount() + input.rows() + 1L + (writesIds ? input.idCount() : 0);
        launch(
                LookupKernel.WRITE,
                LaunchConfig.of(items, LookupAbi.LOOKUP_THREADS / lanes, LookupAbi.LOOKUP_THREADS));
    }

    /** Where values are not complete yet, it is done again when they are. */
    private void score() throws BackendException {
        if (scorer != null) {
            scorer.score(values.address());
        }
    }

    private void launch(LookupKernel kernel, LaunchConfig shape) throws BackendException {
        if (shape.blocks() > 0) {
            queue.launch(kernel, shape, args.address());
        }
    }

    private void readHead() throws BackendException {
        long header = work.address() + layout.header;
        queue.putNumber(header + LookupAbi.LOOKUP_HEADER_NUMBER);
        queue.copyToHost(head.address(), header, layout.headBytes(tables.all().size()));
    }

    /**
     * What a batch gives that the device is done with, once the queue was awaited.
     *
     * @param columns takes over the memory that the result has holds of its own on
     */
    ColumnBatch finish(CloseStack columns) throws BackendException {
        checkHead();
        boolean isLeft = isDirect && (head.values() > room || head.isUncombined());
        if (isLeft) {
            isDirect = false;
            leftToOthers = head.values() <= room ? NOT_TRIED_BATCHES : 0;
            findAgain();
        }
        long count = head.values();
        if (scorer != null) {
            scorer.requireValues(count);
        }
        boolean lacksIds = !writesIds && head.isUncombined();
        writesIds |= lacksIds;
        if (isLeft || count > room || head.diskReads() > 0 || lacksIds) {
            completeValues(count);
        } else if (scorer == null && found.isShort(count)) {
            found.copyAgain(foundPlaces(), count, false);
            queue.await();
        }
        mostValues = Math.max(mostValues, count);
        ColumnBatch result =
                scorer == null ? found.build(columns, (int) count) : scorer.scores(columns);
        head.addCounts(layout.counts, isDirect, diskNanos);
        return result;
    }

    private void completeValues(long count) throws BackendException {
        makeRoom(count);
        if (tables.cacheVersion() != cacheVersion) {
            // Vectors that were found in a cache may have left it since.
            findAgain();
        }
        if (head.diskReads() > 0) {
            readDisk();
        }
        write();
        score();
        if (scorer == null) {
            found.copyAgain(foundPlaces(), count, true);
        } else {
            scorer.copyAgain();
        }
        queue.await();
    }

    private void findAgain() throws BackendException {
        clear();
        find();
        readHead();
        queue.await();
        checkHead();
    }

    private void checkHead() throws BackendException {
        queue.checkNumber(head.address() + LookupAbi.LOOKUP_HEADER_NUMBER);
        if (head.isBad()) {
            throw badBags();
        }
        if (head.values() > Integer.MAX_VALUE) {
            throw new DeviceOutOfMemoryException(
                    "a batch has at most 2147483647 values of vectors: values=" + head.values());
        }
    }

    private static BackendException badBags() {
        return new BackendException(
                "a batch has a request whose bags cannot be: their ends rise to the number of its ids, its"
                        + " weights are none or as many, and its tables are those of the plan");
    }

    /** Reads the vectors from disk that the device has listed, and gives them to it. */
    private void readDisk() throws BackendException {
        int reads = head.diskReads();
        long bytes = (long) LookupAbi.LOOKUP_LINE_BYTES * head.diskLines();
        ResultCheck.requireBetween("the reads of a batch", 0, input.idCount(), reads);
        long started = System.nanoTime();
        try (ArrowBuf list = allocator.buffer((long) LookupAbi.LOOKUP_READ_BYTES * reads);
                ArrowBuf lines = allocator.buffer(bytes)) {
            queue.copyToHost(
                    list.memoryAddress(),
                    work.address() + layout.reads,
                    (long) LookupAbi.LOOKUP_READ_BYTES * reads);
            queue.await();
            tables.reads().run(list.memoryAddress(), reads, lines);
            diskLines.reserve(bytes);
            args.diskLines(diskLines.address());
            queue.copyToDevice(diskLines.address(), lines.memoryAddress(), bytes);
            queue.await();
        }
        diskNanos = System.nanoTime() - started;
    }

    @Override
    public void close() {
        resources.close();
    }
}
