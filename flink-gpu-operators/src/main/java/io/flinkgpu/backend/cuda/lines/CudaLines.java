package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.ResidentMemory;
import io.flinkgpu.backend.cuda.device.SharedByKey;
import io.flinkgpu.backend.cuda.device.SharedDevice;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Reads batches of lines and adds them to their groups. Groups are held while a batch is finished: batches
 * are finished in turn, one that nobody awaits is never held, and one that fails was not.
 */
@Internal
public final class CudaLines extends DeviceProgram<LinesInput, LinesSlot, LineGroups> {

    /** Groups that are given out at a time: a few megabytes. */
    private static final int PIECE_GROUPS = 1 << 16;

    /** Longer than subtasks take for a batch, and not noticed in a checkpoint. */
    private static final int PATIENCE_MILLIS = 20;

    private final LinesArgs args;

    /** Null where the plan does not ask for it. */
    private final HeldTables.Holder held;

    /** How many groups the last batch had: the next one will have about as many. */
    private int lastGroups;

    /** The tables of programs that hold their groups together. */
    private record Shared(String holders) implements SharedByKey.Key<HeldTables> {}

    /**
     * A program.
     *
     * @throws BackendException if there is no memory for it
     */
    public static CudaLines of(SharedDevice device, CudaMemory memory, LinePlan plan)
            throws BackendException {
        if (plan.holders() == null) {
            return new CudaLines(device, memory, LinesArgs.of(plan));
        }
        SharedByKey.Hold<HeldTables> tables =
                device.shared()
                        .hold(
                                new Shared(plan.holders()),
                                () -> tables(LinesArgs.of(plan), PIECE_GROUPS));
        CloseStack opened = new CloseStack();
        opened.push(tables);
        try {
            return new CudaLines(device, memory, tables.get().args(), tables.get(), tables);
        } catch (RuntimeException | Error e) {
            opened.closeAfter(e);
            throw e;
        }
    }

    CudaLines(SharedDevice device, CudaMemory memory, LinesArgs args) {
        this(device, memory, args, PIECE_GROUPS);
    }

    /** One that holds its groups by itself. */
    CudaLines(SharedDevice device, CudaMemory memory, LinesArgs args, int pieceGroups) {
        this(device, memory, args, tables(args, pieceGroups));
    }

    private CudaLines(SharedDevice device, CudaMemory memory, LinesArgs args, HeldTables own) {
        this(device, memory, args, own, own);
    }

    /**
     * @param tables null if nothing is held
     * @param hold what is closed with the program
     */
    private CudaLines(
            SharedDevice device,
            CudaMemory memory,
            LinesArgs args,
            HeldTables tables,
            AutoCloseable hold) {
        super(device, memory, () -> new LinesSlot(device, memory, args));
        this.args = args;
        if (tables == null) {
            held = null;
        } else {
            closeWithProgram(hold);
            held = closeWithProgram(tables.newHolder(bytes -> memoryOf(memory, bytes)));
        }
    }

    private static HeldTables tables(LinesArgs args, int pieceGroups) {
        return args.plan().holdsGroups()
                ? new HeldTables(args, LinesLayout.SMALL_RESULT_BYTES, pieceGroups, PATIENCE_MILLIS)
                : null;
    }

    private static HeldTable.Memory memoryOf(CudaMemory memory, long bytes)
            throws BackendException {
        ResidentMemory kept = memory.device().keepSpare(bytes);
        return kept == null ? null : new KeptTable(kept);
    }

    @Override
    public void barrierPassed(long checkpointId) {
        if (held != null) {
            held.passBarrier(checkpointId);
        }
    }

    @Override
    protected LinesInput read(ColumnBatch batch) {
        return held != null && batch.rows() == 0
                ? LinesInput.ofNothing()
                : LinesInput.of(batch, LinesTable.forGroups(lastGroups));
    }

    @Override
    protected void start(LinesSlot slot, LinesInput input) throws BackendException {
        slot.start(input);
    }

    @Override
    protected LineGroups finish(LinesSlot slot, LinesInput input, CloseStack columns)
            throws BackendException {
        if (input.dataBytes() == 0) {
            return give(slot, columns);
        }
        LinesHeader header = slot.awaitHeader();
        long copyNanos = slot.copyNanos();
        long nanos = slot.kernelNanos();
        while (header.isFull()) {
            slot.retryWithLargerTable(header);
            header = slot.awaitHeader();
            nanos += slot.kernelNanos();
        }
        lastGroups = header.groups();
        if (held != null) {
            LinesOutput output = hold(slot, header, columns);
            if (output != null) {
                return output.toGroups(nanos + slot.kernelNanos(), copyNanos, input.dataBytes());
            }
        }
        LinesOutput output = columns.push(new LinesOutput(allocator, args.plan(), header));
        nanos += slot.copyOut(header, output);
        return output.toGroups(nanos, copyNanos, input.dataBytes());
    }

    /**
     * All that may fail for lack of memory comes before groups are added.
     *
     * @return the result without them; null if they were not
     */
    private LinesOutput hold(LinesSlot slot, LinesHeader header, CloseStack columns)
            throws BackendException {
        LinesOutput output =
                columns.push(
                        new LinesOutput(allocator, args.plan(), header.withoutGroups(args.plan())));
        output.copyResult((host, offset, bytes) -> {});
        slot.reserveRefused(header);
        return held.add(header, to -> slot.hold(to, header, output)) ? output : null;
    }

    private LineGroups give(LinesSlot slot, CloseStack columns) throws BackendException {
        HeldTables.Piece piece = held.take();
        if (piece == null) {
            return withoutGroups();
        }
        try {
            LinesHeader given = slot.describe(piece);
            LinesOutput output = columns.push(new LinesOutput(allocator, args.plan(), given));
            slot.give(piece, given, output);
            LineGroups groups = output.toGroups(slot.kernelNanos(), 0, 0);
            held.given(piece);
            return groups;
        } catch (OutOfMemoryException | DeviceOutOfMemoryException e) {
            held.putBack(piece);
            // No other backend has these groups, so there is no other way to get them.
            throw new BackendException(
                    "no memory to give out groups that are held: groups="
                            + piece.count()
                            + ", "
                            + e.getMessage()
                            + "; raise memoryLimitBytes",
                    e);
        }
    }

    @Override
    protected LineGroups nothing(ColumnBatch batch) throws BackendException {
        return withoutGroups();
    }

    private LineGroups withoutGroups() throws BackendException {
        LinesHeader none = LinesHeader.none(args.plan());
        try (LinesOutput output = new LinesOutput(allocator, args.plan(), none)) {
            output.copyResult((host, offset, bytes) -> {});
            return output.toGroups(0, 0, 0);
        }
    }

    private record KeptTable(ResidentMemory kept) implements HeldTable.Memory {

        @Override
        public long address() {
            return kept.address();
        }

        @Override
        public void close() {
            kept.close();
        }
    }
}
