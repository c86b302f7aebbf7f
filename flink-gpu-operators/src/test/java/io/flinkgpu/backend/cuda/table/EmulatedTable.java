package io.flinkgpu.backend.cuda.table;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Engines;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.EmulatedProcess;
import io.flinkgpu.backend.plan.LookupPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Lookups by the kernels' own source, compiled for the CPU with sanitizers, and with the CUDA backend's
 * layouts and structs.
 */
public final class EmulatedTable implements Backend {

    private static final Placement PLACEMENT = new Placement(Placement.Kind.CPU, 0, "emulated", 1);
    private static final long MOST_BYTES = 1 << 30;
    private static final int CHANGE = 0;
    private static final int FIND = 1;
    private static final byte GARBAGE = (byte) 0xee;

    /** Addresses are offsets, and 0 is null. */
    private static final int START = 256;

    private final BufferAllocator allocator = new RootAllocator(256L << 20);
    private final Engines engines;
    private final EmulatedProcess process;

    /**
     * @param hashMask as in {@link TableArgs}
     */
    public EmulatedTable(int hashMask) throws IOException {
        engines =
                Engines.of(
                        LookupPlan.class,
                        plan -> new Lookup(new TableArgs(plan.table(), 1, 2, hashMask)));
        process = new EmulatedProcess("table");
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
        process.close();
    }

    private final class Lookup implements CompiledProgram<TransformedBatch> {

        private final TableArgs args;
        private final Table table;

        Lookup(TableArgs args) throws BackendException {
            this.args = args;
            if (args.plan().bytes() > MOST_BYTES) {
                throw new BackendException(
                        "no memory for what a program keeps: name="
                                + args.plan().name()
                                + ", bytes="
                                + args.plan().bytes()
                                + ", freeBytes="
                                + MOST_BYTES
                                + "; ask for less");
            }
            table = new Table(args);
        }

        @Override
        public List<Resident> residents() {
            return List.of(table);
        }

        @Override
        public Submission<TransformedBatch> submit(ColumnBatch batch) {
            return () -> find(batch);
        }

        private TransformedBatch find(ColumnBatch batch) throws BackendException {
            int rows = batch.rows();
            TableLayout layout = null;
            byte[] memory = new byte[0];
            if (rows > 0) {
                TableInput input = TableInput.lookup(batch);
                layout = new TableLayout(input);
                memory = table.run(FIND, input, layout, 0);
            }
            try (ArrowBuf bits = allocator.buffer(4 * ((rows + 31L) / 32));
                    ArrowBuf numbers = allocator.buffer(8L * rows)) {
                if (rows > 0) {
                    copy(memory, layout.foundBits, bits, layout.foundBitsBytes);
                    copy(memory, layout.found, numbers, 8L * rows);
                }
                return CudaLookup.result(allocator, rows, batch.separatorBytes(), bits, numbers, 1);
            }
        }

        private static void copy(byte[] memory, long from, ArrowBuf to, long bytes) {
            MemoryUtil.copyToMemory(memory, START + (int) from, to.memoryAddress(), (int) bytes);
        }

        @Override
        public void close() {}
    }

    private final class Table extends TableChanges {

        private final TableArgs args;
        private final byte[] bytes;

        Table(TableArgs args) {
            super(args.plan(), allocator);
            this.args = args;
            bytes = new byte[(int) args.plan().bytes()];
            Arrays.fill(bytes, (int) args.zeroBytes(), bytes.length, GARBAGE);
        }

        @Override
        protected String change(TableInput input, int round) throws BackendException {
            run(CHANGE, input, new TableLayout(input), round);
            try (ArrowBuf header = allocator.buffer(TableAbi.TABLE_HEADER_BYTES)) {
                header.setBytes(0, bytes, 0, TableAbi.TABLE_HEADER_BYTES);
                return args.defectOf(header.memoryAddress());
            }
        }

        /** The memory afterwards, with the block of the batch behind {@link #START}. */
        byte[] run(int step, TableInput input, TableLayout layout, int round)
                throws BackendException {
            int tableStart = START + (int) layout.block.end();
            byte[] memory = new byte[tableStart + bytes.length];
            Arrays.fill(memory, 0, tableStart, GARBAGE);
            int bits = START + (int) layout.foundBits;
            Arrays.fill(memory, bits, bits + (int) layout.foundBitsBytes, (byte) 0);
            layout.block.copyIn(
                    (offset, host, length) ->
                            MemoryUtil.copyFromMemory(
                                    host, memory, START + (int) offset, (int) length));
            System.arraycopy(bytes, 0, memory, tableStart, bytes.length);
            byte[] struct = new byte[TableAbi.TABLE_ARGS_BYTES];
            try (ArrowBuf control = allocator.buffer(struct.length)) {
                args.write(control.memoryAddress(), input, layout, START, tableStart, round);
                control.getBytes(0, struct);
            }
            process.send(step, memory.length);
            process.send(struct);
            process.send(memory);
            process.receive(memory);
            System.arraycopy(memory, tableStart, bytes, 0, bytes.length);
            return memory;
        }
    }
}
