package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A batch of a redaction under way.
 *
 * <pre>
 *   start: zero, copy in | find, select, scan, write | copy header        does not wait
 *   awaitHeader                                                           the first wait
 *   writeAgain: only if the output had no room | write
 *   copyOut: copy out                                                     the second wait
 * </pre>
 */
final class RedactSlot extends BatchSlot {

    private static final long ARGS_OFFSET = 4096;
    private static final int MIN_OUT_SLACK_BYTES = 4096;
    private static final int MIN_PATCHES = 256;

    private final DeviceBuffer work;
    private final DeviceBuffer out;
    private final DeviceBuffer patches;

    private RedactLayout layout;
    private int rows;

    RedactSlot(KernelModule kernels, CudaMemory memory, BufferAllocator allocator)
            throws BackendException {
        super(kernels, memory, allocator, ARGS_OFFSET + KernelAbi.ARGS_BYTES);
        work = newDeviceBuffer();
        out = newDeviceBuffer();
        patches = newDeviceBuffer();
    }

    /**
     * Enqueues all work up to the header.
     *
     * @param text the input, with at least a row
     * @param tablesAddress where the tables are on the device
     */
    void start(TextView text, RuleTables tables, long tablesAddress) throws BackendException {
        int dataBytes = text.dataBytes();
        rows = text.rows();
        layout = RedactLayout.of(dataBytes, rows);
        work.reserve(layout.totalBytes());
        out.reserve(
                Math.min(
                        KernelAbi.MAX_OUTPUT_BYTES,
                        dataBytes + MIN_OUT_SLACK_BYTES + dataBytes / 8L));
        if (tables.hashes()) {
            patches.reserve((MIN_PATCHES + rows / 4L) * KernelAbi.PATCH_BYTES);
        }
        writeArgs(text, dataBytes, tables, tablesAddress);
        stream.zero(work.address(), layout.zeroBytes());
        stream.copyToDevice(work.address() + layout.data(), text.dataAddress(), dataBytes);
        stream.copyToDevice(
                work.address() + layout.offsets(), text.offsetsAddress(), 4 * (rows + 1L));
        startKernels();
        stream.launch(kernels.find(), LaunchConfig.find(dataBytes), argsAddress());
        stream.launch(kernels.select(), LaunchConfig.select(rows), argsAddress());
        stream.launch(kernels.scan(), LaunchConfig.scan(rows), argsAddress());
        stream.launch(kernels.write(), LaunchConfig.write(rows), argsAddress());
        endKernels();
        stream.copyToHost(control.memoryAddress(), work.address(), KernelAbi.HEADER_BYTES);
        stream.record(copied);
    }

    /** Waits until the kernels have run. */
    RedactHeader awaitHeader(int ruleCount) throws BackendException {
        copied.await();
        return RedactHeader.read(control.memoryAddress(), ruleCount);
    }

    /** Whether the kernels had room for their output. */
    boolean hadRoom(RedactHeader header) {
        return header.outputBytes() <= outCapacity() && header.hashMatches() <= patchCapacity();
    }

    /** Makes room and enqueues redact_write once more. The device is done with the slot. */
    void writeAgain(RedactHeader header) throws BackendException {
        out.reserve(header.outputBytes());
        patches.reserve((long) header.hashMatches() * KernelAbi.PATCH_BYTES);
        writeOutputArgs();
        startKernels();
        stream.launch(kernels.write(), LaunchConfig.write(rows), argsAddress());
        endKernels();
    }

    /**
     * Copies the result and waits for it.
     *
     * @param patchList room for the header's hash matches
     * @param overList room for the header's rows left to the host
     */
    void copyOut(RedactHeader header, OutputColumns output, ArrowBuf patchList, ArrowBuf overList)
            throws BackendException {
        stream.copyToHost(output.dataAddress(), out.address(), output.dataBytes());
        stream.copyToHost(
                output.offsetsAddress(),
                work.address() + layout.outOffsets(),
                output.offsetsBytes());
        stream.copyToHost(output.changedAddress(), work.address() + layout.changed(), rows);
        stream.copyToHost(
                patchList.memoryAddress(),
                patches.address(),
                (long) header.hashMatches() * KernelAbi.PATCH_BYTES);
        stream.copyToHost(
                overList.memoryAddress(),
                work.address() + layout.overRows(),
                4L * header.overRows());
        stream.record(copied);
        copied.await();
    }

    private long argsAddress() {
        return control.memoryAddress() + ARGS_OFFSET;
    }

    private int outCapacity() {
        return (int) Math.min(KernelAbi.MAX_OUTPUT_BYTES, out.capacityBytes());
    }

    private int patchCapacity() {
        return (int) Math.min(Integer.MAX_VALUE, patches.capacityBytes() / KernelAbi.PATCH_BYTES);
    }

    private void writeArgs(TextView text, int dataBytes, RuleTables tables, long tablesAddress) {
        long args = argsAddress();
        long base = work.address();
        tables.writeStruct(args, tablesAddress);
        MemoryUtil.putLong(args + KernelAbi.ARGS_DATA, base + layout.data());
        MemoryUtil.putLong(args + KernelAbi.ARGS_OFFSETS, base + layout.offsets());
        MemoryUtil.putLong(args + KernelAbi.ARGS_BITMAP, base + layout.bitmap());
        MemoryUtil.putLong(args + KernelAbi.ARGS_CANDIDATES, base + layout.candidates());
        MemoryUtil.putLong(args + KernelAbi.ARGS_ROW_OVER, base + layout.rowOver());
        MemoryUtil.putLong(args + KernelAbi.ARGS_OVER_ROWS, base + layout.overRows());
        MemoryUtil.putLong(args + KernelAbi.ARGS_ROW_SIZES, base + layout.rowSizes());
        MemoryUtil.putLong(args + KernelAbi.ARGS_SCAN_STATES, base + layout.scanStates());
        MemoryUtil.putLong(args + KernelAbi.ARGS_OUT_OFFSETS, base + layout.outOffsets());
        MemoryUtil.putLong(args + KernelAbi.ARGS_CHANGED, base + layout.changed());
        MemoryUtil.putLong(args + KernelAbi.ARGS_HEADER, base);
        MemoryUtil.putInt(args + KernelAbi.ARGS_ROWS, rows);
        MemoryUtil.putInt(args + KernelAbi.ARGS_DATA_BYTES, dataBytes);
        MemoryUtil.putInt(args + KernelAbi.ARGS_SEPARATOR_BYTES, text.separatorBytes());
        writeOutputArgs();
    }

    private void writeOutputArgs() {
        long args = argsAddress();
        MemoryUtil.putLong(args + KernelAbi.ARGS_OUT_DATA, out.address());
        MemoryUtil.putLong(args + KernelAbi.ARGS_PATCHES, patches.address());
        MemoryUtil.putInt(args + KernelAbi.ARGS_OUT_CAPACITY, outCapacity());
        MemoryUtil.putInt(args + KernelAbi.ARGS_PATCH_CAPACITY, patchCapacity());
    }
}
