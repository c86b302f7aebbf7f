package io.flinkgpu.backend.cuda.table;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.BatchSlot;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceBuffer;
import io.flinkgpu.backend.cuda.device.Kernel;
import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.backend.cuda.device.SharedDevice;

import org.apache.arrow.memory.ArrowBuf;

/** A batch of texts that are looked up, or of changes, under way. */
final class TableSlot extends BatchSlot {

    private static final long HEADER_OFFSET = 256;

    private final Kernel changes = kernel("table_change");
    private final Kernel finds = kernel("table_find");
    private final TableArgs args;
    private final DeviceBuffer work;

    private TableLayout layout;

    TableSlot(SharedDevice device, CudaMemory memory, TableArgs args) throws BackendException {
        super(device, memory, HEADER_OFFSET + TableAbi.TABLE_HEADER_BYTES);
        this.args = args;
        work = newDeviceBuffer();
    }

    /** Empties a table, which nothing uses, and waits. */
    void empty(long table) throws BackendException {
        stream.zero(table, args.zeroBytes());
        drain();
    }

    /** Enqueues the lookup. */
    void find(TableInput input, long table) throws BackendException {
        launch(finds, input, table, 0);
        putNumber(work.address() + layout.found + layout.number);
        copied.record();
    }

    /** Changes the table and waits; what is wrong with it then, or null if nothing is. */
    String change(TableInput input, long table, int round) throws BackendException {
        try {
            launch(changes, input, table, round);
            long header = control.memoryAddress() + HEADER_OFFSET;
            stream.copyToHost(header, table, TableAbi.TABLE_HEADER_BYTES);
            drain();
            return args.defectOf(header);
        } finally {
            // Also of work that failed half way: the device may still read what was enqueued.
            drain();
            giveBackLent();
        }
    }

    private void launch(Kernel kernel, TableInput input, long table, int round)
            throws BackendException {
        layout = new TableLayout(input);
        work.reserve(layout.block.end());
        if (layout.foundBitsBytes > 0) {
            stream.zero(work.address() + layout.foundBits, layout.foundBitsBytes);
        }
        copyIn(layout.block, work);
        args.write(control.memoryAddress(), input, layout, work.address(), table, round);
        startKernels();
        stream.launch(
                kernel,
                LaunchConfig.of(input.count(), TableAbi.TABLE_THREADS, TableAbi.TABLE_THREADS),
                control.memoryAddress());
        endKernels();
    }

    /**
     * Copies the result and waits for it.
     *
     * @param numbers room for one more than the rows, the number of the batch
     */
    void copyOut(ArrowBuf bits, ArrowBuf numbers) throws BackendException {
        long base = work.address();
        stream.copyToHost(bits.memoryAddress(), base + layout.foundBits, layout.foundBitsBytes);
        stream.copyToHost(numbers.memoryAddress(), base + layout.found, layout.number + Long.BYTES);
        copied.record();
        copied.await();
        checkNumber(numbers.memoryAddress() + layout.number);
    }
}
