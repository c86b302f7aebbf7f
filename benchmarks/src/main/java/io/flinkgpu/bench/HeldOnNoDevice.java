package io.flinkgpu.bench;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.ForwardingBackend;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Groups that the subtasks of a process give out as if they had held them on a device, in pieces, each by one
 * of them. For one job at a time.
 */
final class HeldOnNoDevice implements AutoCloseable {

    /** As many as a device gives out at a time. */
    private static final int PIECE_GROUPS = 1 << 16;

    private static final Queue<MadeUpGroups> LEFT = new ConcurrentLinkedQueue<>();

    private final List<MadeUpGroups> pieces = new ArrayList<>();

    HeldOnNoDevice(BufferAllocator allocator, LinePlan plan, int groups) {
        for (int first = 0; first < groups; first += PIECE_GROUPS) {
            int count = Math.min(PIECE_GROUPS, groups - first);
            pieces.add(new MadeUpGroups(allocator, plan, first, count));
        }
    }

    /** Begins anew, with all groups. */
    void refill() {
        LEFT.clear();
        LEFT.addAll(pieces);
    }

    /** The backend of a subtask. */
    static Backend open(OpenRequest request) throws BackendException {
        return new GivingBackend(request);
    }

    private static final class GivingBackend extends ForwardingBackend {

        GivingBackend(OpenRequest request) {
            super(CpuBackend.open(request));
            replace(LinePlan.class, GivingProgram::new);
        }

        private final class GivingProgram implements CompiledProgram<LineGroups> {

            private final LinePlan plan;

            GivingProgram(LinePlan plan) {
                this.plan = plan;
            }

            @Override
            public Submission<LineGroups> submit(ColumnBatch batch) {
                boolean asks = batch.rows() == 0;
                return () -> asks ? next() : MadeUpGroups.none(allocator(), plan, 1);
            }

            private LineGroups next() {
                MadeUpGroups piece = LEFT.poll();
                return piece == null ? MadeUpGroups.none(allocator(), plan, 0) : piece.take();
            }

            @Override
            public void close() {}
        }
    }

    @Override
    public void close() {
        LEFT.clear();
        pieces.forEach(MadeUpGroups::close);
    }
}
