package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.BatchSlot;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceBuffer;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.backend.cuda.device.SharedDevice;

import org.apache.arrow.memory.ArrowBuf;

/**
 * A batch of an aggregation under way.
 *
 * <pre>
 *   start: zero, copy in | find groups and bins, rank groups | copy header     does not wait
 *   awaitHeader                                                                the first wait
 *   addUp: start groups, add rows | copy out                                   the second wait
 * </pre>
 */
final class AggregateSlot extends BatchSlot {

    private static final long ARGS_OFFSET = 0;
    private static final long COLUMNS_OFFSET = 256;

    private final Kernel findGroups = kernel("group_rows");
    private final Kernel findBins = kernel("group_bins");
    private final Kernel rankGroups = kernel("group_rank");
    private final Kernel startGroups = kernel("group_start");
    private final Kernel addShared = kernel("group_add_shared");
    private final Kernel addGlobal = kernel("group_add_global");
    private final Kernel addSquares = kernel("group_add_squares");
    private final AggregateArgs args;
    private final long headerOffset;
    private final DeviceBuffer work;
    private final DeviceBuffer words;

    private AggregateInput input;
    private AggregateLayout layout;

    AggregateSlot(SharedDevice device, CudaMemory memory, AggregateArgs args)
            throws BackendException {
        super(device, memory, controlBytes(args));
        this.args = args;
        this.headerOffset = headerOffset(args);
        work = newDeviceBuffer();
        words = newDeviceBuffer();
    }

    /** Enqueues all work up to the header. */
    void start(AggregateInput batch) throws BackendException {
        input = batch;
        layout = new AggregateLayout(batch);
        work.reserve(layout.block.end());
        int rows = batch.rows();
        stream.zero(work.address(), layout.zeroBytes);
        putNumber(work.address() + AggregateLayout.number(batch.values()));
        copyIn(layout.block, work);
        uploadArgs(AggregateHeader.none(args.plan()));
        startKernels();
        stream.launch(findGroups, GroupLaunch.rows(rows), argsAddress());
        if (args.needsBins()) {
            stream.launch(findBins, GroupLaunch.bins(rows), argsAddress());
        }
        stream.launch(rankGroups, GroupLaunch.rank(rows), argsAddress());
        endKernels();
        stream.copyToHost(
                headerAddress(), work.address(), AggregateLayout.headerBytes(batch.values()));
        copied.record();
    }

    /** Waits until the groups are known. */
    AggregateHeader awaitHeader() throws BackendException {
        copied.await();
        checkNumber(headerAddress() + AggregateLayout.number(input.values()));
        AggregateHeader header = AggregateHeader.read(headerAddress(), args.plan());
        ResultCheck.requireBetween("groups of a batch", 1, input.rows(), header.groups());
        return header;
    }

    /**
     * Adds up the values, copies the result and waits for it.
     *
     * @param result room for it
     */
    void addUp(AggregateHeader header, ArrowBuf result) throws BackendException {
        long resultBytes = args.resultBytes(header);
        words.reserve(resultBytes);
        uploadArgs(header);
        int rows = input.rows();
        startKernels();
        stream.launch(startGroups, GroupLaunch.rows(rows), argsAddress());
        stream.launch(
                args.fitsBlock(header) ? addShared : addGlobal,
                GroupLaunch.add(rows),
                argsAddress());
        if (args.needsSquares()) {
            stream.launch(addSquares, GroupLaunch.add(rows), argsAddress());
        }
        endKernels();
        stream.copyToHost(result.memoryAddress(), words.address(), resultBytes);
        await();
    }

    /** Writes the structs; the device is done with those before. */
    private void uploadArgs(AggregateHeader header) throws BackendException {
        long base = work.address();
        long columns = control.memoryAddress() + COLUMNS_OFFSET;
        args.writeStruct(argsAddress(), input, layout, header, base, words.address());
        args.writeColumns(columns, input, layout, header, base);
        stream.copyToDevice(base + layout.columns, columns, columnBytes(args));
    }

    private long argsAddress() {
        return control.memoryAddress() + ARGS_OFFSET;
    }

    private long headerAddress() {
        return control.memoryAddress() + headerOffset;
    }

    private static long columnBytes(AggregateArgs args) {
        return (long) GroupAbi.COLUMN_BYTES * args.plan().values().size();
    }

    private static long headerOffset(AggregateArgs args) {
        return COLUMNS_OFFSET + columnBytes(args);
    }

    private static long controlBytes(AggregateArgs args) {
        return headerOffset(args) + AggregateLayout.headerBytes(args.plan().values().size());
    }
}
