package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.BatchSlot;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceBuffer;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.ResultCheck;
import io.flinkgpu.backend.cuda.device.SharedDevice;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A batch of lines under way.
 *
 * <pre>
 *   start: copy in | zero, add lines, write a small result | copy header and small result
 *   awaitHeader                                        the only wait of most batches
 *   retryWithLargerTable: zero, add lines ...          if the table was full; awaitHeader follows
 *   copyOut: write a large result, list refused lines | copy them
 * </pre>
 *
 * Where groups are held, it ends in another way:
 *
 * <pre>
 *   hold: add groups, list refused lines | copy these
 *   describe, give: write some of the groups that are held | copy them      of a batch without rows
 * </pre>
 */
final class LinesSlot extends BatchSlot {

    private static final long ARGS_OFFSET = 0;
    private static final long HEADER_OFFSET = 256;
    private static final int RESULT_THREADS = LinesAbi.LINES_RESULT_THREADS;

    private final Kernel add = kernel("lines_add", true);
    private final Kernel writeResult = kernel("lines_result");
    private final Kernel listRefused = kernel("lines_refused");
    private final Kernel holdGroups = kernel("lines_hold");
    private final Kernel giveGroups = kernel("lines_give");
    private final LinesArgs args;
    private final LinesShape shape;
    private final DeviceBuffer fields;
    private final DeviceBuffer work;
    private final DeviceBuffer tableMemory;
    private final DeviceBuffer result;
    private final DeviceBuffer refused;

    private LinesInput input;
    private LinesLayout layout;
    private LinesTable table;

    /** Whether the fields' copy was enqueued: a start that failed may be tried again. */
    private boolean hasFields;

    /** Of the piece that was described last. */
    private long keysStart;

    LinesSlot(SharedDevice device, CudaMemory memory, LinesArgs args) throws BackendException {
        super(device, memory, controlBytes(args));
        this.args = args;
        shape = LinesShape.of(device.properties(), args.fields());
        fields = newDeviceBuffer();
        work = newDeviceBuffer();
        tableMemory = newDeviceBuffer();
        result = newDeviceBuffer();
        refused = newDeviceBuffer();
    }

    /** Enqueues all work up to the header. */
    void start(LinesInput batch) throws BackendException {
        input = batch;
        layout = new LinesLayout(batch, args.fields().values());
        reserveFields();
        if (batch.dataBytes() == 0) {
            table = batch.table();
            return;
        }
        work.reserve(layout.block.end());
        startCopy();
        copyIn(layout.block, work);
        addLines(batch.table());
    }

    /** Waits until the groups are known. */
    LinesHeader awaitHeader() throws BackendException {
        copied.await();
        checkNumber(headerAddress() + LinesLayout.number(args.fields().values()));
        LinesHeader header = LinesHeader.read(headerAddress(), args.plan());
        header.check(input.dataBytes());
        return header;
    }

    /** Enqueues all work up to the header once more, with a larger table. */
    void retryWithLargerTable(LinesHeader header) throws BackendException {
        addLines(table.grown(header.lines()));
    }

    /**
     * Fills the host's columns and waits for that.
     *
     * @return the time that kernels took for it
     */
    long copyOut(LinesHeader header, LinesOutput output) throws BackendException {
        long resultBytes = header.resultBytes(args.plan());
        boolean isSmall = resultBytes <= LinesLayout.SMALL_RESULT_BYTES;
        if (isSmall) {
            long small = headerAddress() + LinesLayout.headerBytes(args.fields().values());
            output.copyResult(
                    (host, offset, bytes) -> MemoryUtil.copyMemory(small + offset, host, bytes));
            if (header.refused() == 0) {
                return 0;
            }
        }
        result.reserve(isSmall ? 0 : resultBytes);
        refused.reserve(header.refusedBytes());
        uploadArgs(result.address(), isSmall ? 0 : resultBytes);
        startKernels();
        if (!isSmall) {
            stream.launch(writeResult, resultLaunch(), argsAddress());
        }
        if (header.refused() > 0) {
            stream.launch(listRefused, LinesLayout.refusedLaunch(input), argsAddress());
        }
        endKernels();
        if (!isSmall) {
            output.copyResult(
                    (host, offset, bytes) ->
                            stream.copyToHost(host, result.address() + offset, bytes));
        }
        output.copyRefused(
                (host, offset, bytes) ->
                        stream.copyToHost(host, refused.address() + offset, bytes));
        await();
        return kernelNanos();
    }

    /** Makes room for what {@link #hold} of a batch has to copy. */
    void reserveRefused(LinesHeader header) throws BackendException {
        refused.reserve(header.refusedBytes());
    }

    /**
     * Reads how many bytes the keys of a piece have, for which it waits.
     *
     * @return the piece as the result of no lines
     */
    LinesHeader describe(HeldTables.Piece piece) throws BackendException {
        HeldTable from = piece.table();
        int end = piece.first() + piece.count();
        boolean isLast = end == from.groups();
        stream.copyToHost(heldAddress(), from.keyWordAddress(piece.first()), Long.BYTES);
        if (!isLast) {
            stream.copyToHost(heldAddress() + Long.BYTES, from.keyWordAddress(end), Long.BYTES);
        }
        await();
        keysStart = HeldTable.keyStart(MemoryUtil.getLong(heldAddress()));
        long keysEnd =
                isLast
                        ? from.keyBytes()
                        : HeldTable.keyStart(MemoryUtil.getLong(heldAddress() + Long.BYTES));
        ResultCheck.requireBetween("the start of held keys", 0, from.keyBytes(), keysStart);
        ResultCheck.requireBetween("the end of held keys", keysStart, from.keyBytes(), keysEnd);
        return from.given(piece.count(), keysEnd - keysStart);
    }

    /** Fills the host's columns with the piece that was described last, and waits for that. */
    void give(HeldTables.Piece piece, LinesHeader given, LinesOutput output)
            throws BackendException {
        HeldTable from = piece.table();
        long bytes = given.resultBytes(args.plan()) - given.keyBytes();
        result.reserve(bytes);
        long base = result.address();
        uploadArgs(base, bytes);
        from.writeArgs(argsAddress(), piece.first(), piece.count());
        startKernels();
        stream.launch(
                giveGroups,
                LaunchConfig.of(piece.count(), RESULT_THREADS, RESULT_THREADS),
                argsAddress());
        endKernels();
        output.copyWords((host, offset, size) -> stream.copyToHost(host, base + offset, size));
        long keys = from.keysAddress() + keysStart;
        output.copyKeys((host, offset, size) -> stream.copyToHost(host, keys + offset, size));
        await();
    }

    /**
     * Adds the batch's groups to a table that has room for them, copies the starts of the refused lines,
     * and waits for that and all before. The table is zeroed before its first groups come.
     */
    void hold(HeldTable to, LinesHeader header, LinesOutput output) throws BackendException {
        uploadArgs(0, 0);
        to.writeArgs(argsAddress(), 0, 0);
        long held = to.memory().address();
        startKernels();
        if (to.groups() == 0) {
            stream.zero(held, to.layout().zeroBytes());
        }
        stream.launch(holdGroups, resultLaunch(), argsAddress());
        if (header.refused() > 0) {
            stream.launch(listRefused, LinesLayout.refusedLaunch(input), argsAddress());
        }
        endKernels();
        stream.copyToHost(heldAddress(), held, HeldLayout.headerBytes(args.fields()));
        output.copyRefused(
                (host, offset, bytes) ->
                        stream.copyToHost(host, refused.address() + offset, bytes));
        await();
        to.added(header, heldAddress());
    }

    private void addLines(LinesTable newTable) throws BackendException {
        table = newTable;
        long tableBytes = args.tableBytes(table);
        tableMemory.reserve(tableBytes);
        long base = work.address();
        uploadArgs(base + layout.smallResult, LinesLayout.SMALL_RESULT_BYTES);
        startKernels();
        stream.zero(base + layout.dataBytes, layout.zeroBytes());
        putNumber(base + layout.header + LinesLayout.number(args.fields().values()));
        stream.zero(tableMemory.address(), tableBytes);
        stream.launch(add, shape.launch(input.dataBytes()), argsAddress());
        stream.launch(writeResult, resultLaunch(), argsAddress());
        endKernels();
        stream.copyToHost(headerAddress(), base + layout.header, copiedBytes(args));
        copied.record();
    }

    /** Copies what the plan says of fields, before the first batch. */
    private void reserveFields() throws BackendException {
        if (!hasFields || fields.capacityBytes() == 0) {
            hasFields = false;
            long bytes = args.fields().totalBytes();
            fields.reserve(bytes);
            args.fields().write(fieldsAddress());
            stream.copyToDevice(fields.address(), fieldsAddress(), bytes);
            hasFields = true;
        }
    }

    /** Writes the struct, which a launch copies. */
    private void uploadArgs(long resultAddress, long resultBytes) {
        args.writeStruct(
                argsAddress(),
                input,
                layout,
                shape,
                table,
                new LinesArgs.Places(
                        work.address(),
                        fields.address(),
                        tableMemory.address(),
                        resultAddress,
                        resultBytes,
                        refused.address()));
    }

    private LaunchConfig resultLaunch() {
        return LaunchConfig.of(table.slots(), RESULT_THREADS, RESULT_THREADS);
    }

    private long argsAddress() {
        return control.memoryAddress() + ARGS_OFFSET;
    }

    private long headerAddress() {
        return control.memoryAddress() + HEADER_OFFSET;
    }

    private long fieldsAddress() {
        return headerAddress() + copiedBytes(args);
    }

    private long heldAddress() {
        return fieldsAddress() + args.fields().totalBytes();
    }

    /** Bytes of the header and the small result. */
    private static long copiedBytes(LinesArgs args) {
        return LinesLayout.headerBytes(args.fields().values()) + LinesLayout.SMALL_RESULT_BYTES;
    }

    private static long controlBytes(LinesArgs args) {
        return HEADER_OFFSET
                + copiedBytes(args)
                + args.fields().totalBytes()
                + HeldLayout.headerBytes(args.fields());
    }
}
