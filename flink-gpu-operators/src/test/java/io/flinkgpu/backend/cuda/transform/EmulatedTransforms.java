package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.EmulatedProcess;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs passes with the transform kernel's own source, compiled for the CPU with sanitizers, and with
 * the CUDA backend's layouts and structs. The program is built by the kernels module where g++ is
 * there.
 */
public final class EmulatedTransforms implements AutoCloseable {

    private static final byte GARBAGE = (byte) 0xee;

    /** Addresses are offsets, and 0 is null. */
    private static final long START = 256;

    private final BufferAllocator allocator;
    private final long firstCapacity;
    private final boolean withoutWindow;
    private final EmulatedProcess process;

    /**
     * @param firstCapacity bytes that there is room for in each text at first
     * @param withoutWindow whether texts stay out of windows
     */
    public EmulatedTransforms(BufferAllocator allocator, long firstCapacity, boolean withoutWindow)
            throws IOException {
        this.allocator = allocator;
        this.firstCapacity = firstCapacity;
        this.withoutWindow = withoutWindow;
        process = new EmulatedProcess("transform");
    }

    public CompiledProgram<TransformedBatch> compile(PassPlan passPlan) {
        NumberedPasses plan = new NumberedPasses(passPlan);
        TransformSizes sizes = new TransformSizes(plan);
        return new CompiledProgram<>() {
            @Override
            public Submission<TransformedBatch> submit(ColumnBatch batch) {
                return () -> new Run(plan, sizes, batch).result();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        process.close();
    }

    private static TransformShape[] shapesWithoutWindow(NumberedPasses plan) {
        return plan.program().passes().stream()
                .map(TransformShape::withoutWindow)
                .toArray(TransformShape[]::new);
    }

    /** A batch and its device memory: the program, the block of the batch, texts. */
    private final class Run {
        private final NumberedPasses plan;
        private final TransformSizes sizes;
        private final TransformInput input;
        private final TransformShape[] shapes;
        private final TransformLayout layout;
        private final long base;
        private final long[] texts;
        private final long[] capacities;
        private byte[] memory;

        Run(NumberedPasses plan, TransformSizes sizes, ColumnBatch batch) {
            this.plan = plan;
            this.sizes = sizes;
            input = TransformInput.of(plan.batchTypes(), batch);
            shapes = withoutWindow ? shapesWithoutWindow(plan) : sizes.shapes(input);
            layout = new TransformLayout(plan, input, shapes);
            base = START + plan.program().bytes().length;
            texts = new long[plan.types().size()];
            capacities = new long[texts.length];
            for (int i = 0; i < texts.length; i++) {
                capacities[i] = plan.isWrittenText(i) ? firstCapacity : 0;
            }
        }

        TransformedBatch result() throws BackendException {
            TransformHeader header = runPasses();
            while (header.failedPass() != 0) {
                int first = plan.firstOutput(header.failedPass() - 1);
                for (int i = first; i < texts.length; i++) {
                    if (plan.isWrittenText(i) && plan.passOf(i) == header.failedPass() - 1) {
                        capacities[i] = Math.max(capacities[i], header.bytes(i));
                    }
                }
                header = runPasses();
            }
            sizes.note(header, input.rows());
            try (TransformOutput output =
                    new TransformOutput(allocator, input.rows(), input.separatorBytes())) {
                for (int column : plan.results()) {
                    boolean isText = plan.types().get(column) == ColumnType.TEXT;
                    TransformOutput.Column host =
                            output.add(
                                    plan.types().get(column),
                                    header.nulls(column),
                                    isText ? header.bytes(column) : 0);
                    copy(isText ? texts[column] : base + layout.data[column], host.data());
                    copy(base + layout.offsets[column], host.offsets());
                    if (isText && input.rows() == 0) {
                        // There are no threads for no rows.
                        host.offsets().setInt(0, 0);
                    }
                    copy(base + layout.validity[column], host.validity());
                }
                return output.toBatch(1);
            }
        }

        private void copy(long from, ArrowBuf to) {
            if (to != null) {
                MemoryUtil.copyToMemory(
                        memory, (int) from, to.memoryAddress(), (int) to.writerIndex());
            }
        }

        private TransformHeader runPasses() throws BackendException {
            long end = base + layout.block.end();
            for (int i = 0; i < texts.length; i++) {
                texts[i] = end;
                end += capacities[i] + 15 & -16;
            }
            memory = new byte[(int) end];
            Arrays.fill(memory, GARBAGE);
            byte[] program = plan.program().bytes();
            System.arraycopy(program, 0, memory, (int) START, program.length);
            Arrays.fill(memory, (int) base, (int) (base + layout.zeroBytes), (byte) 0);
            layout.block.copyIn(
                    (offset, host, bytes) ->
                            MemoryUtil.copyFromMemory(
                                    host, memory, (int) (base + offset), (int) bytes));
            TransformArgs args =
                    new TransformArgs(plan, input, shapes, layout, START, base, texts, capacities);
            try (ArrowBuf tables = allocator.buffer(args.tablesBytes());
                    ArrowBuf struct = allocator.buffer(TransformAbi.TRANSFORM_ARGS_SIZE)) {
                args.writeTables(tables.memoryAddress());
                MemoryUtil.copyFromMemory(
                        tables.memoryAddress(),
                        memory,
                        (int) (base + args.tablesOffset()),
                        (int) args.tablesBytes());
                for (int pass = 0; pass < shapes.length; pass++) {
                    args.writeStruct(struct.memoryAddress(), pass);
                    byte[] copy = new byte[TransformAbi.TRANSFORM_ARGS_SIZE];
                    MemoryUtil.copyFromMemory(struct.memoryAddress(), copy, 0, copy.length);
                    send(copy, shapes[pass].threads);
                }
            }
            try (ArrowBuf head = allocator.buffer(plan.headBytes())) {
                MemoryUtil.copyToMemory(memory, (int) base, head.memoryAddress(), plan.headBytes());
                return TransformHeader.read(head.memoryAddress(), plan);
            }
        }

        private void send(byte[] args, int threads) throws BackendException {
            process.send(memory.length, threads);
            process.send(args);
            process.send(memory);
            process.receive(memory);
        }
    }
}
