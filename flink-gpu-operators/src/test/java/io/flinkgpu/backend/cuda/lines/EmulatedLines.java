package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.EmulatedProcess;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads and groups lines with the line kernels' own source, compiled for the CPU with sanitizers, and with
 * the CUDA backend's layouts and structs. The program is built by the kernels module where g++ is there.
 */
public final class EmulatedLines implements AutoCloseable {

    private static final long ADD = 0;
    private static final long RESULT = 1;
    private static final long REFUSED = 2;
    private static final long HOLD = 3;
    private static final long GIVE = 4;

    /** Small, so that few groups are held, too. */
    private static final long WITH_BATCH_BYTES = 1L << 10;

    private static final int PIECE_GROUPS = 1000;
    private static final int PATIENCE_MILLIS = 1;

    /** Each batch copies them. */
    private static final long MAX_HELD_BYTES = 4L << 20;

    private static final int OWN_SLOTS = 64;
    private static final int BLOCKS = 3;
    private static final byte GARBAGE = (byte) 0xee;

    private final BufferAllocator allocator;
    private final EmulatedProcess process;

    /** Those that programs share. */
    private final Map<String, HeldTables> shared = new HashMap<>();

    public EmulatedLines(BufferAllocator allocator) throws IOException {
        this.allocator = allocator;
        process = new EmulatedProcess("lines");
    }

    public CompiledProgram<LineGroups> compile(LinesArgs args) {
        return compile(args, MAX_HELD_BYTES);
    }

    /**
     * @param maxHeldBytes how large a table of groups that are held may be
     */
    public CompiledProgram<LineGroups> compile(LinesArgs args, long maxHeldBytes) {
        String holders = args.plan().holders();
        return new Program(
                holders == null
                        ? tables(args)
                        : shared.computeIfAbsent(holders, key -> tables(args)),
                maxHeldBytes);
    }

    private static HeldTables tables(LinesArgs args) {
        return new HeldTables(args, WITH_BATCH_BYTES, PIECE_GROUPS, PATIENCE_MILLIS);
    }

    @Override
    public void close() {
        process.close();
    }

    /** Batches run when they are awaited. */
    private final class Program implements CompiledProgram<LineGroups> {
        private final LinesArgs args;
        private final HeldTables.Holder held;
        private int lastGroups;

        Program(HeldTables tables, long maxHeldBytes) {
            args = tables.args();
            held =
                    tables.newHolder(
                            bytes -> bytes > maxHeldBytes ? null : new EmulatedMemory(bytes));
        }

        @Override
        public void barrierPassed(long checkpointId) {
            held.passBarrier(checkpointId);
        }

        @Override
        public Submission<LineGroups> submit(ColumnBatch batch) {
            LinesInput input = LinesInput.of(batch, LinesTable.forGroups(lastGroups));
            if (input == null) {
                return () -> batch.rows() == 0 ? give() : withoutGroups();
            }
            return () -> {
                Run run = new Run(args, input);
                LinesHeader header = run.addLines();
                lastGroups = header.groups();
                boolean isHeld =
                        args.plan().holdsGroups() && held.add(header, to -> run.hold(to, header));
                return isHeld ? run.withoutGroups(header) : run.result(header);
            };
        }

        private LineGroups give() throws BackendException {
            HeldTables.Piece piece = held.take();
            if (piece == null) {
                return withoutGroups();
            }
            LineGroups groups = new Run(args, LinesInput.ofNothing()).give(piece);
            held.given(piece);
            return groups;
        }

        private LineGroups withoutGroups() throws BackendException {
            LinesHeader none = LinesHeader.none(args.plan());
            try (LinesOutput output = new LinesOutput(allocator, args.plan(), none)) {
                output.copyResult((host, offset, bytes) -> {});
                return output.toGroups(1, 0, 0);
            }
        }

        @Override
        public void close() {
            held.close();
        }
    }

    /** Memory that stays from batch to batch. It is part of the memory of each, somewhere else. */
    private static final class EmulatedMemory implements HeldTable.Memory {
        private final byte[] bytes;
        private long address;

        EmulatedMemory(long bytes) {
            this.bytes = new byte[(int) bytes];
            Arrays.fill(this.bytes, GARBAGE);
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public void close() {}
    }

    /** A batch and its device memory: the block of the batch, fields, table, result, refused lines. */
    private final class Run {
        private final LinesArgs args;
        private final LinesInput input;
        private final LinesLayout layout;
        private final LinesShape shape;
        private LinesTable table;
        private byte[] memory;

        Run(LinesArgs args, LinesInput input) {
            this.args = args;
            this.input = input;
            table = input.table();
            layout = new LinesLayout(input, args.fields().values());
            shape = LinesShape.of(args.fields(), OWN_SLOTS, BLOCKS);
        }

        LinesHeader addLines() throws BackendException {
            LinesHeader header = addLinesOnce();
            while (header.isFull()) {
                table = table.grown(header.lines());
                header = addLinesOnce();
            }
            return header;
        }

        LineGroups result(LinesHeader header) throws BackendException {
            try (LinesOutput output = new LinesOutput(allocator, args.plan(), header)) {
                long resultBytes = header.resultBytes(args.plan());
                long place = layout.smallResult;
                if (resultBytes > LinesLayout.SMALL_RESULT_BYTES) {
                    place = append(resultBytes);
                    step(RESULT, place, resultBytes, 0);
                }
                long result = place;
                output.copyResult((host, offset, bytes) -> copy(result + offset, host, bytes));
                refused(header, output);
                return output.toGroups(1, 0, input.dataBytes());
            }
        }

        void refused(LinesHeader header, LinesOutput output) throws BackendException {
            if (header.refused() > 0) {
                long refused = append(header.refusedBytes());
                step(REFUSED, 0, 0, refused);
                output.copyRefused((host, offset, bytes) -> copy(refused, host, bytes));
            }
        }

        void hold(HeldTable to, LinesHeader header) throws BackendException {
            EmulatedMemory held = (EmulatedMemory) to.memory();
            if (to.groups() == 0) {
                Arrays.fill(held.bytes, 0, (int) to.layout().zeroBytes(), (byte) 0);
            }
            append(held);
            step(HOLD, 0, 0, 0, to, 0, 0);
            System.arraycopy(memory, (int) held.address, held.bytes, 0, held.bytes.length);
            long headerBytes = HeldLayout.headerBytes(args.fields());
            try (ArrowBuf head = allocator.buffer(headerBytes)) {
                copy(held.address, head.memoryAddress(), headerBytes);
                to.added(header, head.memoryAddress());
            }
        }

        LineGroups give(HeldTables.Piece piece) throws BackendException {
            HeldTable from = piece.table();
            EmulatedMemory held = (EmulatedMemory) from.memory();
            blockAndFields();
            append(held);
            int end = piece.first() + piece.count();
            long start = keyStart(from, piece.first());
            long keysEnd = end == from.groups() ? from.keyBytes() : keyStart(from, end);
            LinesHeader given = from.given(piece.count(), keysEnd - start);
            long bytes = given.resultBytes(args.plan()) - given.keyBytes();
            long result = append(bytes);
            step(GIVE, result, bytes, 0, from, piece.first(), piece.count());
            try (LinesOutput output = new LinesOutput(allocator, args.plan(), given)) {
                output.copyWords((host, offset, length) -> copy(result + offset, host, length));
                output.copyKeys(
                        (host, offset, length) ->
                                copy(from.keysAddress() + start + offset, host, length));
                return output.toGroups(1, 0, 0);
            }
        }

        private long keyStart(HeldTable from, int record) {
            ByteBuffer bytes = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN);
            return HeldTable.keyStart(bytes.getLong((int) from.keyWordAddress(record)));
        }

        LineGroups withoutGroups(LinesHeader header) throws BackendException {
            LinesHeader rest = header.withoutGroups(args.plan());
            try (LinesOutput output = new LinesOutput(allocator, args.plan(), rest)) {
                output.copyResult((host, offset, bytes) -> {});
                refused(rest, output);
                return output.toGroups(1, 0, input.dataBytes());
            }
        }

        private void append(EmulatedMemory held) {
            held.address = append(held.bytes.length);
            System.arraycopy(held.bytes, 0, memory, (int) held.address, held.bytes.length);
        }

        private LinesHeader addLinesOnce() throws BackendException {
            blockAndFields();
            Arrays.fill(memory, (int) tablePlace(), memory.length, (byte) 0);
            step(ADD, layout.smallResult, LinesLayout.SMALL_RESULT_BYTES, 0);
            long headerBytes = LinesLayout.headerBytes(args.fields().values());
            try (ArrowBuf head = allocator.buffer(headerBytes)) {
                copy(layout.header, head.memoryAddress(), headerBytes);
                return LinesHeader.read(head.memoryAddress(), args.plan());
            }
        }

        private void blockAndFields() throws BackendException {
            memory = new byte[(int) layout.block.end()];
            Arrays.fill(memory, GARBAGE);
            int zeroFrom = (int) layout.dataBytes;
            Arrays.fill(memory, zeroFrom, zeroFrom + (int) layout.zeroBytes(), (byte) 0);
            layout.block.copyIn(
                    (offset, host, bytes) ->
                            MemoryUtil.copyFromMemory(host, memory, (int) offset, (int) bytes));
            fields();
        }

        /** Puts the fields behind the block of the batch, and makes room for the table. */
        private void fields() {
            long bytes = args.fields().totalBytes();
            append(tablePlace() - memory.length + args.tableBytes(table));
            try (ArrowBuf fields = allocator.buffer(bytes)) {
                args.fields().write(fields.memoryAddress());
                MemoryUtil.copyFromMemory(
                        fields.memoryAddress(), memory, (int) layout.block.end(), (int) bytes);
            }
        }

        private long tablePlace() {
            return layout.block.end() + (args.fields().totalBytes() + 255 & -256);
        }

        /** More memory, with garbage in it; at a multiple of 256. */
        private long append(long bytes) {
            int place = memory.length + 255 & -256;
            int end = memory.length;
            memory = Arrays.copyOf(memory, place + (int) bytes);
            Arrays.fill(memory, end, memory.length, GARBAGE);
            return place;
        }

        private void copy(long from, long host, long bytes) {
            MemoryUtil.copyToMemory(memory, from, host, bytes);
        }

        private void step(long step, long result, long resultBytes, long refused)
                throws BackendException {
            step(step, result, resultBytes, refused, null, 0, 0);
        }

        /**
         * @param held null where none is part of it
         * @param first the first record of it to give out
         */
        private void step(
                long step,
                long result,
                long resultBytes,
                long refused,
                HeldTable held,
                int first,
                int count)
                throws BackendException {
            byte[] struct = new byte[LinesAbi.LINES_ARGS_BYTES];
            try (ArrowBuf buffer = allocator.buffer(struct.length)) {
                LinesArgs.Places places =
                        new LinesArgs.Places(
                                0, layout.block.end(), tablePlace(), result, resultBytes, refused);
                buffer.setZero(0, struct.length);
                args.writeStruct(buffer.memoryAddress(), input, layout, shape, table, places);
                if (held != null) {
                    held.writeArgs(buffer.memoryAddress(), first, count);
                }
                MemoryUtil.copyFromMemory(buffer.memoryAddress(), struct, 0, struct.length);
            }
            int blocks = shape.launch(input.dataBytes()).blocks();
            process.send(step, blocks, memory.length);
            process.send(struct);
            process.send(memory);
            process.receive(memory);
        }
    }
}
