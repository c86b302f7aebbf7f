package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.DeviceOutOfMemoryException;
import io.flinkgpu.backend.cuda.device.CloseStack;
import io.flinkgpu.backend.cuda.device.CudaMemory;
import io.flinkgpu.backend.cuda.device.DeviceProgram;
import io.flinkgpu.backend.cuda.device.ResidentMemory;
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

    /** How much of the columns' memory groups may need that are given out. */
    private static final int GIVEN_PARTS = 4;

    /** They are one piece of pinned memory. */
    private static final long MAX_GIVEN_BYTES = 512L << 20;

    private final LinesArgs args;

    /** Null where the plan does not ask for it. */
    private final HeldTables held;

    /** How many groups the last batch had: the next one will have about as many. */
    private int lastGroups;

    public CudaLines(SharedDevice device, CudaMemory memory, LinesArgs args) {
        this(
                device,
                memory,
                args,
                Math.min(MAX_GIVEN_BYTES, memory.columns().getLimit() / GIVEN_PARTS));
    }

    /**
     * @param maxGivenBytes how large a result may be of groups that were held
     */
    CudaLines(SharedDevice device, CudaMemory memory, LinesArgs args, long maxGivenBytes) {
        super(device, memory, () -> new LinesSlot(device, memory, args));
        this.args = args;
        held =
                args.plan().holdsGroups()
                        ? closeWithProgram(
                                new HeldTables(
                                        args,
                                        LinesLayout.SMALL_RESULT_BYTES,
                                        maxGivenBytes,
                                        bytes -> memoryOf(memory, bytes)))
                        : null;
    }

    private static HeldTable.Memory memoryOf(CudaMemory memory, long bytes)
            throws BackendException {
        ResidentMemory kept = memory.device().keepSpare(bytes);
        return kept == null ? null : new KeptTable(kept);
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
            return giveAll(slot, columns);
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
        HeldTable to = held == null ? null : held.tableFor(header);
        if (to != null) {
            return hold(slot, header, to, columns, nanos, copyNanos);
        }
        LinesOutput output = columns.push(new LinesOutput(allocator, args.plan(), header));
        nanos += slot.copyOut(header, output);
        return output.toGroups(nanos, copyNanos);
    }

    /** All that may fail for lack of memory comes before groups are added. */
    private LineGroups hold(
            LinesSlot slot,
            LinesHeader header,
            HeldTable to,
            CloseStack columns,
            long nanos,
            long copyNanos)
            throws BackendException {
        LinePlan plan = args.plan();
        HeldTable given = held.isGivenOutFor(to, header) ? held.held() : null;
        LinesHeader result = given == null ? header.withoutGroups(plan) : given.given(header);
        LinesOutput output = columns.push(new LinesOutput(allocator, plan, result));
        slot.reserveRefused(header);
        if (given == null) {
            output.copyResult((host, offset, bytes) -> {});
        } else {
            slot.give(given, result, output);
            slot.awaitCopies();
        }
        if (held.isGivenOutFor(to, header)) {
            held.use(to);
        }
        long all = nanos + slot.hold(to, header, output);
        return output.toGroups(all, copyNanos);
    }

    private LineGroups giveAll(LinesSlot slot, CloseStack columns) throws BackendException {
        LinesHeader none = LinesHeader.none(args.plan());
        HeldTable given = held.held();
        if (given == null) {
            return withoutGroups(none);
        }
        LinesHeader result = given.given(none);
        try {
            LinesOutput output = columns.push(new LinesOutput(allocator, args.plan(), result));
            slot.give(given, result, output);
            slot.awaitCopies();
            held.use(given);
            return output.toGroups(0, 0);
        } catch (OutOfMemoryException | DeviceOutOfMemoryException e) {
            // No other backend has these groups, so there is no other way to get them.
            throw new BackendException(
                    "no memory to give out the groups that are held: groups="
                            + result.groups()
                            + ", bytes="
                            + result.resultBytes(args.plan())
                            + ", "
                            + e.getMessage()
                            + "; raise memoryLimitBytes",
                    e);
        }
    }

    @Override
    protected LineGroups nothing(ColumnBatch batch) throws BackendException {
        return withoutGroups(LinesHeader.none(args.plan()));
    }

    private LineGroups withoutGroups(LinesHeader header) throws BackendException {
        try (LinesOutput output = new LinesOutput(allocator, args.plan(), header)) {
            output.copyResult((host, offset, bytes) -> {});
            return output.toGroups(0, 0);
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
