package io.flinkgpu.backend.cuda;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.RedactedBatch;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A rule set's tables on the device, and the slots of the batches under way. Any number of batches may
 * be under way; from the third on the link and the device are busy.
 */
final class CudaRedaction implements CompiledProgram<RedactedBatch> {

    private final CudaContext context;
    private final KernelModule kernels;
    private final MemorySource deviceMemory;
    private final BufferAllocator allocator;
    private final RuleTables tables;
    private final HostFinish hostFinish;
    private final CloseStack resources = new CloseStack();
    private final DeviceBuffer deviceTables;
    private final Deque<RedactSlot> idle = new ArrayDeque<>();
    private final Deque<RedactSlot> busy = new ArrayDeque<>();

    CudaRedaction(
            CudaContext context,
            KernelModule kernels,
            MemorySource deviceMemory,
            BufferAllocator allocator,
            CompiledRules rules,
            byte[] hashKey)
            throws BackendException {
        this.context = context;
        this.kernels = kernels;
        this.deviceMemory = deviceMemory;
        this.allocator = allocator;
        hostFinish = new HostFinish(rules, hashKey);
        tables = new RuleTables(rules);
        deviceTables = resources.push(new DeviceBuffer(deviceMemory));
        try {
            upload(tables.bytes());
        } catch (BackendException | RuntimeException e) {
            resources.closeAfter(e);
            throw e;
        }
    }

    private void upload(byte[] bytes) throws BackendException {
        deviceTables.reserve(bytes.length);
        try (CudaStream stream = new CudaStream();
                ArrowBuf staging = allocator.buffer(bytes.length)) {
            MemoryUtil.copyToMemory(bytes, 0, staging.memoryAddress(), bytes.length);
            stream.copyToDevice(deviceTables.address(), staging.memoryAddress(), bytes.length);
            stream.drain();
        } catch (OutOfMemoryException e) {
            throw outOfPinnedMemory(e);
        }
    }

    @Override
    public Submission<RedactedBatch> submit(ColumnBatch batch) throws BackendException {
        if (batch.rows() == 0) {
            return () -> emptyResult(batch.text(0).separatorBytes());
        }
        context.makeCurrent();
        TextView text = batch.text(0);
        RedactSlot slot = idle.isEmpty() ? newSlot() : idle.pop();
        busy.add(slot);
        try {
            slot.start(text, tables, deviceTables.address());
        } catch (BackendException | RuntimeException e) {
            releaseAfter(slot, e);
            throw e;
        }
        return () -> await(slot, text);
    }

    private RedactSlot newSlot() throws BackendException {
        try {
            return resources.push(new RedactSlot(kernels, deviceMemory, allocator));
        } catch (OutOfMemoryException e) {
            throw outOfPinnedMemory(e);
        }
    }

    private RedactedBatch await(RedactSlot slot, TextView text) throws BackendException {
        context.makeCurrent();
        RedactedBatch result;
        try {
            result = finish(slot, text);
        } catch (OutOfMemoryException e) {
            DeviceOutOfMemoryException failure = outOfPinnedMemory(e);
            releaseAfter(slot, failure);
            throw failure;
        } catch (BackendException | RuntimeException e) {
            releaseAfter(slot, e);
            throw e;
        }
        release(slot);
        return result;
    }

    private RedactedBatch finish(RedactSlot slot, TextView text) throws BackendException {
        RedactHeader header = slot.awaitHeader(tables.ruleCount());
        OutputSizes.check(header.outputBytes());
        long kernelNanos = slot.kernelNanos();
        boolean again = !slot.hadRoom(header);
        if (again) {
            slot.writeAgain(header);
        }
        try (OutputColumns output =
                        new OutputColumns(
                                allocator,
                                text.rows(),
                                text.separatorBytes(),
                                header.outputBytes());
                ArrowBuf patchList =
                        allocator.buffer((long) header.hashMatches() * KernelAbi.PATCH_BYTES);
                ArrowBuf overList = allocator.buffer(4L * header.overRows())) {
            slot.copyOut(header, output, patchList, overList);
            kernelNanos += again ? slot.kernelNanos() : 0;
            hostFinish.writeHashes(text, patchList.memoryAddress(), header.hashMatches(), output);
            long[] matches = header.matchesPerRule();
            if (header.overRows() == 0) {
                return output.toBatch(matches, kernelNanos);
            }
            int[] overRows = readInts(overList, header.overRows());
            try (OutputColumns filled =
                    hostFinish.fillRows(allocator, text, overRows, output, matches)) {
                return filled.toBatch(matches, kernelNanos);
            }
        }
    }

    private RedactedBatch emptyResult(int separatorBytes) throws BackendException {
        try (OutputColumns output = new OutputColumns(allocator, 0, separatorBytes, 0)) {
            output.putOffset(0, 0);
            return output.toBatch(new long[tables.ruleCount()], 0);
        } catch (OutOfMemoryException e) {
            throw outOfPinnedMemory(e);
        }
    }

    private void release(RedactSlot slot) throws BackendException {
        slot.drain();
        busy.remove(slot);
        idle.push(slot);
    }

    /** A slot whose work failed half way must not be reused before the device is done with it. */
    private void releaseAfter(RedactSlot slot, Exception cause) {
        try {
            release(slot);
        } catch (BackendException e) {
            cause.addSuppressed(e);
        }
    }

    private static int[] readInts(ArrowBuf list, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = list.getInt(4L * i);
        }
        return values;
    }

    private static DeviceOutOfMemoryException outOfPinnedMemory(OutOfMemoryException cause) {
        DeviceOutOfMemoryException failure = new DeviceOutOfMemoryException(cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    /** Waits for batches that nobody awaited, then frees everything. */
    @Override
    public void close() {
        try {
            context.makeCurrent();
            for (RedactSlot slot : busy) {
                slot.drain();
            }
        } catch (BackendException e) {
            resources.closeAfter(e);
            throw new IllegalStateException(e.getMessage(), e);
        }
        busy.clear();
        idle.clear();
        resources.close();
    }
}
