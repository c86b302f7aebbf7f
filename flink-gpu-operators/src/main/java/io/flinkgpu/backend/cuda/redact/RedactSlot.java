package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.cuda.device.BatchSlot;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceBuffer;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A batch of a redaction under way.
 *
 * <pre>
 *   start: copy in | zero, lines, find, write | copy header, output does not wait
 *   awaitHeader                                                     mostly the only wait
 *   startAgain, or start with the rows; awaitHeader                 only if the kernels lacked room
 *   takeOutput, copyRest: what was not copied yet                   waits if there is anything
 * </pre>
 *
 * So that nobody has to wait for the output's size before it is copied, as many bytes of it are copied
 * as the input has; most often that is all, and it comes in one copy, since each has a gap behind it.
 *
 * <p>Of a batch that holds lines, the device finds the rows first.
 */
final class RedactSlot extends BatchSlot {

    private static final int MIN_OUT_SLACK_BYTES = 4096;
    private static final int MIN_PATCHES = 256;
    private static final int LIKELY_ROW_BYTES = 128;

    private final Kernel findLines = kernel("redact_lines");
    private final Kernel findTexts = kernel("redact_texts");
    private final Kernel find = kernel("redact_find");
    private final Kernel write = kernel("redact_write");
    private final DeviceBuffer work;
    private final DeviceBuffer patches;

    private final BufferAllocator allocator;

    private RedactLayout layout;
    private int dataBytes;
    private int rows;
    private boolean holdsLines;

    /** Where the output is copied to; null: nothing is under way. */
    private OutputColumns output;

    /** Bytes of the output that were copied with the header, with everything else that has one size. */
    private long copiedBytes;

    RedactSlot(SharedDevice device, CudaMemory memory) throws BackendException {
        super(device, memory, RedactAbi.ARGS_BYTES);
        work = newDeviceBuffer();
        patches = newDeviceBuffer();
        allocator = memory.columns();
        closeWithSlot(this::dropOutput);
    }

    /**
     * Enqueues all work up to the header.
     *
     * @param text the input, with at least a row
     * @param holdsLines whether that is one of lines, which the device has to find
     */
    void start(TextView text, boolean holdsLines, DeviceTables tables) throws BackendException {
        this.holdsLines = holdsLines;
        dataBytes = text.dataBytes();
        rows = text.rows();
        layout =
                holdsLines
                        ? RedactLayout.ofLines(
                                dataBytes, tables.ruleCount(), tables.isOneAutomaton())
                        : RedactLayout.ofRows(
                                dataBytes, rows, tables.ruleCount(), tables.isOneAutomaton());
        int likelyRows = holdsLines ? dataBytes / LIKELY_ROW_BYTES : rows;
        run(
                text,
                tables,
                expectedBytes(dataBytes, MIN_OUT_SLACK_BYTES),
                tables.hashes() ? MIN_PATCHES + likelyRows / 4L : 0,
                expectedBytes(dataBytes, 0),
                dataBytes);
    }

    /**
     * Makes the room that the kernels lacked and enqueues all work once more. The device is done with the
     * slot.
     */
    void startAgain(TextView text, DeviceTables tables, RedactHeader header)
            throws BackendException {
        long outBytes = header.outputBytes();
        run(text, tables, outBytes, header.hashMatches(), outBytes, outBytes);
    }

    private void run(
            TextView text,
            DeviceTables tables,
            long outBytes,
            long patchCount,
            long columnBytes,
            long copyBytes)
            throws BackendException {
        dropOutput();
        output =
                new OutputColumns(
                        allocator, rows, tables.ruleCount(), text.separatorBytes(), columnBytes);
        enqueue(text, tables, outBytes, patchCount);
        copyOutput(output, copyBytes);
        copiedBytes = copyBytes;
        copied.record();
    }

    private void enqueue(TextView text, DeviceTables tables, long outBytes, long patchCount)
            throws BackendException {
        work.reserve(layout.outData + outBytes);
        patches.reserve(patchCount * RedactAbi.PATCH_BYTES);
        writeArgs(text, tables);
        long base = work.address();
        stream.copyToDevice(base + layout.data, text.dataAddress(), dataBytes);
        if (!holdsLines) {
            stream.copyToDevice(base + layout.offsets, text.offsetsAddress(), 4 * (rows + 1L));
        }
        // Behind the copies: these need not wait until the device has time to zero memory.
        stream.zero(base + layout.scanStates, layout.zeroBytes);
        if (layout.candidateZeroBytes > 0) {
            stream.zero(base + layout.bitmap, layout.candidateZeroBytes);
        }
        putNumber(base + layout.header + layout.output.number());
        startKernels();
        if (holdsLines) {
            stream.launch(findLines, RedactLaunch.findLines(dataBytes), argsAddress());
        }
        if (tables.hasTexts()) {
            stream.launch(findTexts, RedactLaunch.find(dataBytes), argsAddress());
        }
        for (int automaton = 0; automaton < tables.automata(); automaton++) {
            // A launch takes the arguments as they are then.
            tables.writeStruct(automaton, argsAddress() + RedactAbi.ARGS_TABLES);
            stream.launch(find, RedactLaunch.find(dataBytes), argsAddress());
        }
        stream.launch(write, RedactLaunch.write(dataBytes), argsAddress());
        endKernels();
    }

    /** What a batch's output hardly ever exceeds: most labels are about as long as what they replace. */
    private static long expectedBytes(int dataBytes, int slackBytes) {
        return Math.min(RedactAbi.MAX_OUTPUT_BYTES, dataBytes + dataBytes / 8L + slackBytes);
    }

    private void copyOutput(OutputColumns to, long textBytes) throws BackendException {
        stream.copyToHost(
                to.headerAddress(), work.address() + layout.header, to.copyBytes(textBytes));
    }

    /** What a batch that failed was to be copied to is memory that others need. */
    @Override
    public void drain() throws BackendException {
        super.drain();
        dropOutput();
    }

    private void dropOutput() {
        if (output != null) {
            output.close();
            output = null;
        }
    }

    /** Waits until the kernels have run and what start copies is there. */
    RedactHeader awaitHeader(int ruleCount) throws BackendException {
        copied.await();
        checkNumber(output.numberAddress());
        RedactHeader header = RedactHeader.read(output.headerAddress(), ruleCount);
        header.check(dataBytes, holdsLines ? dataBytes : rows);
        return header;
    }

    /** Whether the text is one of lines, which the device has found. */
    boolean holdsLines() {
        return holdsLines;
    }

    /** Whether the rows are known, or the kernels had room for those they found. */
    boolean foundLines(RedactHeader header) {
        return !holdsLines || header.lines() <= layout.rowCapacity;
    }

    /** Whether the list of rows left to the host is copied with the header. */
    static boolean copiesOverRows(RedactHeader header) {
        return header.overRows() <= RedactAbi.NEAR_OVER_ROWS;
    }

    /** Whether the kernels had room for their output. */
    boolean hadRoom(RedactHeader header) {
        return header.outputBytes() <= outCapacity() && header.hashMatches() <= patchCapacity();
    }

    /** The columns of the output, with room for it; the caller closes them. */
    OutputColumns takeOutput(RedactHeader header) {
        OutputColumns taken = output;
        output = null;
        if (header.outputBytes() <= taken.capacityBytes()) {
            taken.setDataBytes(header.outputBytes());
            return taken;
        }
        taken.close();
        copiedBytes = 0;
        return taken.another(header.outputBytes());
    }

    /**
     * Copies what is left of the result and waits for it.
     *
     * @param to from {@link #takeOutput}
     * @param patchList room for the header's hash matches
     * @param overList room for the header's rows left to the host, where they are not copied with it
     */
    void copyRest(RedactHeader header, OutputColumns to, ArrowBuf patchList, ArrowBuf overList)
            throws BackendException {
        boolean nothingCopied = copiedBytes == 0;
        long left = Math.max(0, to.dataBytes() - copiedBytes);
        if (nothingCopied) {
            copyOutput(to, left);
        } else {
            stream.copyToHost(
                    to.dataAddress() + copiedBytes,
                    work.address() + layout.outData + copiedBytes,
                    left);
        }
        stream.copyToHost(
                patchList.memoryAddress(),
                patches.address(),
                (long) header.hashMatches() * RedactAbi.PATCH_BYTES);
        if (!copiesOverRows(header)) {
            stream.copyToHost(
                    overList.memoryAddress(),
                    work.address() + layout.overRows,
                    (long) header.overRows() * RedactAbi.OVER_ROW_BYTES);
        }
        if (nothingCopied || left > 0 || header.hashMatches() > 0 || !copiesOverRows(header)) {
            await();
        }
    }

    /** Checks where the rows of an output are, that is copied; those of lines are not copied. */
    void check(OutputColumns copy) throws FatalDeviceException {
        if (!holdsLines) {
            copy.checkOffsets();
        }
    }

    private long argsAddress() {
        return control.memoryAddress();
    }

    private int outCapacity() {
        return (int) Math.min(RedactAbi.MAX_OUTPUT_BYTES, work.capacityBytes() - layout.outData);
    }

    private int patchCapacity() {
        return (int) Math.min(Integer.MAX_VALUE, patches.capacityBytes() / RedactAbi.PATCH_BYTES);
    }

    private void writeArgs(TextView text, DeviceTables tables) {
        long args = argsAddress();
        long base = work.address();
        tables.writeStruct(0, args + RedactAbi.ARGS_TABLES);
        tables.writeTexts(args + RedactAbi.ARGS_TEXTS);
        MemoryUtil.putLong(args + RedactAbi.ARGS_DATA, base + layout.data);
        MemoryUtil.putLong(args + RedactAbi.ARGS_OFFSETS, base + layout.offsets);
        MemoryUtil.putLong(args + RedactAbi.ARGS_BITMAP, base + layout.bitmap);
        MemoryUtil.putLong(args + RedactAbi.ARGS_CANDIDATES, base + layout.candidates);
        MemoryUtil.putLong(args + RedactAbi.ARGS_FOUND, base + layout.found);
        MemoryUtil.putLong(args + RedactAbi.ARGS_ROW_OVER, base + layout.rowOver);
        MemoryUtil.putLong(args + RedactAbi.ARGS_OVER_ROWS, base + layout.overRows);
        MemoryUtil.putLong(
                args + RedactAbi.ARGS_NEAR_ROWS, base + layout.header + layout.output.nearRows());
        MemoryUtil.putLong(args + RedactAbi.ARGS_SCAN_STATES, base + layout.scanStates);
        MemoryUtil.putLong(args + RedactAbi.ARGS_CARRIES, base + layout.carries);
        MemoryUtil.putLong(args + RedactAbi.ARGS_OUT_OFFSETS, base + layout.outOffsets);
        MemoryUtil.putLong(args + RedactAbi.ARGS_CHANGED, base + layout.changed);
        MemoryUtil.putLong(args + RedactAbi.ARGS_HEADER, base + layout.header);
        MemoryUtil.putLong(args + RedactAbi.ARGS_LINE_STATES, base + layout.lineStates);
        MemoryUtil.putInt(args + RedactAbi.ARGS_ROWS, holdsLines ? 0 : rows);
        MemoryUtil.putInt(args + RedactAbi.ARGS_ROW_CAPACITY, layout.rowCapacity);
        MemoryUtil.putInt(args + RedactAbi.ARGS_DATA_BYTES, dataBytes);
        MemoryUtil.putInt(
                args + RedactAbi.ARGS_SEPARATOR_BYTES, holdsLines ? 1 : text.separatorBytes());
        MemoryUtil.putLong(args + RedactAbi.ARGS_OUT_DATA, base + layout.outData);
        MemoryUtil.putLong(args + RedactAbi.ARGS_PATCHES, patches.address());
        MemoryUtil.putInt(args + RedactAbi.ARGS_OUT_CAPACITY, outCapacity());
        MemoryUtil.putInt(args + RedactAbi.ARGS_PATCH_CAPACITY, patchCapacity());
    }
}
