package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.cuda.device.BatchSlot;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceBuffer;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.SharedDevice;

import org.apache.arrow.memory.ArrowBuf;

/**
 * A batch of a transformation under way.
 *
 * <pre>
 *   start: copy in | zero, passes | copy header           does not wait
 *   awaitHeader                                           the first wait
 *   runAgain: only if a text had no room | as start       waits
 *   copyOut: copy out                                     the second wait
 * </pre>
 */
final class TransformSlot extends BatchSlot {

    private static final long MIN_TEXT_BYTES = 4096;

    private final Kernel transform = kernel("transform");
    private final Kernel transformSingle = kernel("transform_single");
    private final NumberedPasses plan;
    private final TransformSizes sizes;
    private final long programAddress;
    private final long headOffset;
    private final long tablesOffset;
    private final DeviceBuffer work;
    private final DeviceBuffer[] texts;

    private TransformInput input;
    private TransformShape[] shapes;
    private TransformLayout layout;

    TransformSlot(
            SharedDevice device,
            CudaMemory memory,
            NumberedPasses plan,
            TransformSizes sizes,
            long programAddress)
            throws BackendException {
        super(device, memory, controlBytes(plan));
        this.plan = plan;
        this.sizes = sizes;
        this.programAddress = programAddress;
        headOffset = headOffset(plan);
        tablesOffset = tablesOffset(plan);
        work = newDeviceBuffer();
        texts = new DeviceBuffer[plan.types().size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = plan.isWrittenText(i) ? newDeviceBuffer() : null;
        }
    }

    /** Enqueues all work up to the header. */
    void start(TransformInput batch) throws BackendException {
        input = batch;
        shapes = sizes.shapes(batch);
        layout = new TransformLayout(plan, batch, shapes);
        work.reserve(layout.block.end());
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] != null) {
                double expected = 1.125 * sizes.bytesPerRow(batch, i) * batch.rows();
                reserve(i, MIN_TEXT_BYTES + (long) expected);
            }
        }
        copyIn(layout.block, work);
        uploadArgs();
        enqueuePasses();
        copyHeader();
    }

    /** Waits until the passes have run. */
    TransformHeader awaitHeader() throws BackendException {
        copied.await();
        checkNumber(control.memoryAddress() + headOffset + TransformLayout.NUMBER);
        TransformHeader header = TransformHeader.read(control.memoryAddress() + headOffset, plan);
        header.check(plan, input.rows());
        return header;
    }

    /** Makes room for what the failed pass writes, runs all passes again and waits. */
    TransformHeader runAgain(TransformHeader header) throws BackendException {
        int pass = header.failedPass() - 1;
        int first = plan.firstOutput(pass);
        int count = plan.program().passes().get(pass).pass().outputs().size();
        for (int i = first; i < first + count; i++) {
            if (texts[i] != null) {
                checkSize(header.bytes(i));
                reserve(i, header.bytes(i));
            }
        }
        uploadArgs();
        enqueuePasses();
        copyHeader();
        return awaitHeader();
    }

    /** Zeroes what must be zero and launches the passes over what is on the device. */
    private void enqueuePasses() throws BackendException {
        startKernels();
        stream.zero(work.address(), layout.zeroBytes);
        putNumber(work.address() + TransformLayout.NUMBER);
        for (int pass = 0; pass < shapes.length; pass++) {
            boolean isSingle = shapes[pass].itemShift == 0;
            stream.launch(
                    isSingle ? transformSingle : transform,
                    shapes[pass].launch(input.rows()),
                    argsAddress(pass));
        }
        endKernels();
    }

    /** Enqueues the copies of a column that a pass writes. */
    void copyOut(int column, TransformHeader header, TransformOutput output)
            throws BackendException {
        ColumnType type = plan.types().get(column);
        int rows = input.rows();
        long bytes =
                type == ColumnType.TEXT
                        ? header.bytes(column)
                        : TransformInput.dataBytes(type, rows);
        TransformOutput.Column host =
                output.add(type, header.nulls(column), type == ColumnType.TEXT ? bytes : 0);
        long base = work.address();
        long data = texts[column] == null ? base + layout.data[column] : textAddress(column);
        stream.copyToHost(host.data().memoryAddress(), data, bytes);
        copyOut(host.offsets(), base + layout.offsets[column]);
        copyOut(host.validity(), base + layout.validity[column]);
    }

    private void copyOut(ArrowBuf host, long address) throws BackendException {
        if (host != null) {
            stream.copyToHost(host.memoryAddress(), address, host.writerIndex());
        }
    }

    private void copyHeader() throws BackendException {
        stream.copyToHost(control.memoryAddress() + headOffset, work.address(), plan.headBytes());
        copied.record();
    }

    /** Writes the structs and copies the tables; the device is done with those before. */
    private void uploadArgs() throws BackendException {
        long[] addresses = new long[texts.length];
        long[] capacities = new long[texts.length];
        for (int i = 0; i < texts.length; i++) {
            addresses[i] = texts[i] == null ? 0 : textAddress(i);
            capacities[i] =
                    texts[i] == null
                            ? 0
                            : Math.min(TransformAbi.MAX_TEXT_BYTES, texts[i].capacityBytes());
        }
        TransformArgs args =
                new TransformArgs(
                        plan,
                        input,
                        shapes,
                        layout,
                        programAddress,
                        work.address(),
                        addresses,
                        capacities);
        for (int pass = 0; pass < shapes.length; pass++) {
            args.writeStruct(argsAddress(pass), pass);
        }
        long tables = control.memoryAddress() + tablesOffset;
        args.writeTables(tables);
        stream.copyToDevice(work.address() + args.tablesOffset(), tables, args.tablesBytes());
    }

    private void reserve(int column, long bytes) throws BackendException {
        texts[column].reserve(Math.min(TransformAbi.MAX_TEXT_BYTES, bytes));
    }

    private long textAddress(int column) {
        return texts[column].address();
    }

    /** Fails if the offsets of a column cannot reach so far; two halves of the batch may do. */
    private static void checkSize(long textBytes) throws DeviceOutOfMemoryException {
        if (textBytes > TransformAbi.MAX_TEXT_BYTES) {
            throw new DeviceOutOfMemoryException(
                    "a column of texts has at most 2147483647 bytes: textBytes="
                            + textBytes
                            + "; make the batches smaller");
        }
    }

    private long argsAddress(int pass) {
        return control.memoryAddress() + (long) TransformAbi.TRANSFORM_ARGS_SIZE * pass;
    }

    private static long headOffset(NumberedPasses plan) {
        return (long) TransformAbi.TRANSFORM_ARGS_SIZE * plan.program().passes().size();
    }

    private static long tablesOffset(NumberedPasses plan) {
        return headOffset(plan) + plan.headBytes();
    }

    private static long controlBytes(NumberedPasses plan) {
        return tablesOffset(plan) + TransformLayout.tablesBytes(plan);
    }
}
