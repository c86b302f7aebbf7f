package io.flinkgpu.backend.cuda.table;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.plan.TablePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The host's part of a table on a device: which changes count, and whether they fitted. */
@Internal
public abstract class TableChanges implements Resident {

    private final TablePlan plan;
    private final BufferAllocator allocator;
    private int version;

    protected TableChanges(TablePlan plan, BufferAllocator allocator) {
        this.plan = plan;
        this.allocator = allocator;
    }

    /**
     * Changes the table and waits until it is changed.
     *
     * @param round how many times it was, this one included
     * @return what is wrong with it now; null if nothing is
     */
    protected abstract String change(TableInput input, int round) throws BackendException;

    @Override
    public final void apply(ColumnBatch changes) throws BackendException {
        TextView keys = changes.text(TablePlan.KEY_COLUMN);
        Map<ByteBuffer, Integer> lastRows = new HashMap<>();
        for (int row = 0; row < keys.rows(); row++) {
            lastRows.put(ByteBuffer.wrap(keys.copyRow(row)), row);
        }
        String defect = lastRows.isEmpty() ? null : change(changes, keys, lastRows);
        if (defect != null) {
            throw new BackendException(defect);
        }
        version++;
    }

    private String change(ColumnBatch changes, TextView keys, Map<ByteBuffer, Integer> rows)
            throws BackendException {
        try (ArrowBuf changed = allocator.buffer(4L * rows.size())) {
            int count = 0;
            for (int row : rows.values()) {
                changed.setInt(4L * count, row);
                count++;
            }
            return change(
                    TableInput.changes(
                            keys,
                            changes.vector(TablePlan.NUMBER_COLUMN),
                            changed.memoryAddress(),
                            count),
                    version + 1);
        }
    }

    @Override
    public final long version() {
        return version;
    }

    @Override
    public final long bytes() {
        return plan.bytes();
    }
}
