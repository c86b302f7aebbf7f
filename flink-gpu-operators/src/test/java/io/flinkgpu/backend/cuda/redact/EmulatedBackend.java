package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Engines;
import io.flinkgpu.backend.Placement;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cuda.EmulatedProcess;
import io.flinkgpu.backend.cuda.aggregate.AggregateArgs;
import io.flinkgpu.backend.cuda.aggregate.AggregateHeader;
import io.flinkgpu.backend.cuda.aggregate.AggregateInput;
import io.flinkgpu.backend.cuda.aggregate.AggregateLayout;
import io.flinkgpu.backend.cuda.aggregate.GroupAbi;
import io.flinkgpu.backend.cuda.lines.EmulatedLines;
import io.flinkgpu.backend.cuda.lines.LinesArgs;
import io.flinkgpu.backend.cuda.transform.EmulatedTransforms;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.backend.plan.PassPlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.io.IOException;
import java.util.Arrays;

/**
 * Aggregates, transforms and reads lines with the kernels' own source, compiled for the CPU with sanitizers, and with
 * the CUDA backend's layouts and structs. Needs no GPU; the program is built by the kernels module where g++ is
 * there.
 */
public final class EmulatedBackend implements Backend {

    private static final long GROUP = 0;
    private static final long ADD_SHARED = 1;
    private static final long ADD_GLOBAL = 2;
    private static final byte GARBAGE = (byte) 0xee;

    private static final Placement PLACEMENT = new Placement(Placement.Kind.CPU, 0, "emulated", 1);

    private final BufferAllocator allocator = new RootAllocator(256L << 20);
    private final EmulatedProcess process;
    private final EmulatedTransforms transforms;
    private final EmulatedLines lines;
    private final Engines engines =
            Engines.of(AggregatePlan.class, plan -> compile(new AggregateArgs(plan, 1, 2, -1)))
                    .and(LinePlan.class, plan -> compile(new LinesArgs(plan, 1, 2, -1)))
                    .and(PassPlan.class, plan -> transforms().compile(plan));

    public EmulatedBackend() throws IOException {
        this(1 << 20, false);
    }

    /**
     * @param textCapacity bytes that there is room for in each text that a pass writes, at first
     * @param withoutWindow whether texts stay out of windows
     */
    public EmulatedBackend(long textCapacity, boolean withoutWindow) throws IOException {
        transforms = new EmulatedTransforms(allocator, textCapacity, withoutWindow);
        lines = new EmulatedLines(allocator);
        process = new EmulatedProcess("group");
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

    public CompiledProgram<LineGroups> compile(LinesArgs args) {
        return lines.compile(args);
    }

    /**
     * @param maxHeldBytes how large a table of groups that are held may be
     */
    public CompiledProgram<LineGroups> compile(LinesArgs args, long maxHeldBytes) {
        return lines.compile(args, maxHeldBytes);
    }

    private EmulatedTransforms transforms() {
        return transforms;
    }

    public CompiledProgram<GroupedBatch> compile(AggregateArgs args) {
        AggregatePlan plan = args.plan();
        return new CompiledProgram<>() {
            @Override
            public Submission<GroupedBatch> submit(ColumnBatch batch) throws BackendException {
                if (batch.rows() == 0) {
                    AggregateHeader none = AggregateHeader.none(plan);
                    return () -> result(args, none, new byte[0]);
                }
                Run run = new Run(args, AggregateInput.of(plan, batch));
                run.step(GROUP, AggregateHeader.none(plan), new byte[0]);
                return run::addUp;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        allocator.close();
        transforms.close();
        lines.close();
        process.close();
    }

    private GroupedBatch result(AggregateArgs args, AggregateHeader header, byte[] words) {
        ArrowBuf copy = allocator.buffer(words.length);
        MemoryUtil.copyToMemory(words, 0, copy.memoryAddress(), words.length);
        return new GroupedBatch(
                args.plan(), header.groups(), copy, header.firstBins(), header.bins(), 1);
    }

    /** A batch and its device memory. */
    private final class Run {
        private final AggregateArgs args;
        private final AggregateInput input;
        private final AggregateLayout layout;
        private byte[] work;

        Run(AggregateArgs args, AggregateInput input) throws BackendException {
            this.args = args;
            this.input = input;
            layout = new AggregateLayout(input);
            work = new byte[(int) layout.block.end()];
            Arrays.fill(work, (int) layout.zeroBytes, work.length, GARBAGE);
            layout.block.copyIn(
                    (offset, host, bytes) ->
                            MemoryUtil.copyFromMemory(host, work, (int) offset, (int) bytes));
        }

        GroupedBatch addUp() throws BackendException {
            byte[] head = Arrays.copyOf(work, (int) AggregateLayout.headerBytes(input.values()));
            AggregateHeader header;
            try (ArrowBuf copy = allocator.buffer(head.length)) {
                MemoryUtil.copyToMemory(head, 0, copy.memoryAddress(), head.length);
                header = AggregateHeader.read(copy.memoryAddress(), args.plan());
            }
            byte[] words = new byte[(int) args.resultBytes(header)];
            Arrays.fill(words, GARBAGE);
            step(args.fitsBlock(header) ? ADD_SHARED : ADD_GLOBAL, header, words);
            return result(args, header, words);
        }

        void step(long step, AggregateHeader header, byte[] words) throws BackendException {
            int columnBytes = GroupAbi.COLUMN_BYTES * input.values();
            byte[] struct = new byte[GroupAbi.GROUP_ARGS_BYTES];
            try (ArrowBuf control = allocator.buffer(struct.length + columnBytes)) {
                long columns = control.memoryAddress() + struct.length;
                args.writeStruct(control.memoryAddress(), input, layout, header, 0, 0);
                args.writeColumns(columns, input, layout, header, 0);
                MemoryUtil.copyFromMemory(control.memoryAddress(), struct, 0, struct.length);
                MemoryUtil.copyFromMemory(columns, work, (int) layout.columns, columnBytes);
            }
            process.send(step, work.length, words.length);
            process.send(struct);
            process.send(work);
            process.send(words);
            process.receive(work);
            process.receive(words);
        }
    }
}
