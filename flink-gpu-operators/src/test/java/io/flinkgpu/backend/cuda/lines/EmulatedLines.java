package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.EmulatedKernels;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads and groups lines with the line kernels' own source, compiled for the CPU with sanitizers, and with
 * the CUDA backend's layouts and structs. The program is built by the kernels module where g++ is there.
 */
public final class EmulatedLines implements AutoCloseable {

    private static final long ADD = 0;
    private static final long RESULT = 1;
    private static final long REFUSED = 2;
    private static final int OWN_SLOTS = 64;
    private static final int BLOCKS = 3;
    private static final byte GARBAGE = (byte) 0xee;

    private final BufferAllocator allocator;
    private final Process process;

    public EmulatedLines(BufferAllocator allocator) throws IOException {
        this.allocator = allocator;
        process =
                new ProcessBuilder(EmulatedKernels.program("lines").toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
    }

    public CompiledProgram<LineGroups> compile(LinesArgs args) {
        return new CompiledProgram<>() {
            private int lastGroups;

            @Override
            public Submission<LineGroups> submit(ColumnBatch batch) {
                LinesInput input = LinesInput.of(batch, LinesTable.forGroups(lastGroups));
                return () -> {
                    if (input == null) {
                        return noLines(args);
                    }
                    Run run = new Run(args, input);
                    LinesHeader header = run.addLines();
                    lastGroups = header.groups();
                    return run.result(header);
                };
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("the emulation failed, see its message");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private LineGroups noLines(LinesArgs args) throws BackendException {
        LinesHeader none = LinesHeader.none(args.plan());
        try (LinesOutput output = new LinesOutput(allocator, args.plan(), none)) {
            output.copyResult((host, offset, bytes) -> {});
            return output.toGroups(1, 0);
        }
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
                if (header.refused() > 0) {
                    long refused = append(header.refusedBytes());
                    step(REFUSED, 0, 0, refused);
                    output.copyRefused((host, offset, bytes) -> copy(refused, host, bytes));
                }
                return output.toGroups(1, 0);
            }
        }

        private LinesHeader addLinesOnce() throws BackendException {
            memory = new byte[(int) layout.block.end()];
            Arrays.fill(memory, GARBAGE);
            int zeroFrom = (int) layout.dataBytes;
            Arrays.fill(memory, zeroFrom, zeroFrom + (int) layout.zeroBytes(), (byte) 0);
            layout.block.copyIn(
                    (offset, host, bytes) ->
                            MemoryUtil.copyFromMemory(host, memory, (int) offset, (int) bytes));
            fields();
            Arrays.fill(memory, (int) tablePlace(), memory.length, (byte) 0);
            step(ADD, layout.smallResult, LinesLayout.SMALL_RESULT_BYTES, 0);
            long headerBytes = LinesLayout.headerBytes(args.fields().values());
            try (ArrowBuf head = allocator.buffer(headerBytes)) {
                copy(layout.header, head.memoryAddress(), headerBytes);
                return LinesHeader.read(head.memoryAddress(), args.plan());
            }
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
            byte[] struct = new byte[LinesAbi.LINES_ARGS_BYTES];
            try (ArrowBuf buffer = allocator.buffer(struct.length)) {
                LinesArgs.Places places =
                        new LinesArgs.Places(
                                0, layout.block.end(), tablePlace(), result, resultBytes, refused);
                args.writeStruct(buffer.memoryAddress(), input, layout, shape, table, places);
                MemoryUtil.copyFromMemory(buffer.memoryAddress(), struct, 0, struct.length);
            }
            int blocks = shape.launch(input.dataBytes()).blocks();
            ByteBuffer head = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
            head.putLong(step).putLong(blocks).putLong(memory.length);
            try {
                OutputStream request = process.getOutputStream();
                request.write(head.array());
                request.write(struct);
                request.write(memory);
                request.flush();
                new DataInputStream(process.getInputStream()).readFully(memory);
            } catch (IOException e) {
                throw new BackendException("the emulation failed, see its message", e);
            }
        }
    }
}
