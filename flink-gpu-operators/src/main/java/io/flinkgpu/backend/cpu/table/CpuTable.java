package io.flinkgpu.backend.cpu.table;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.Resident;
import io.flinkgpu.backend.plan.TablePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.arrow.vector.BigIntVector;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Texts and their numbers, null for those that were taken out. */
final class CpuTable implements Resident {

    private final TablePlan plan;
    private final Map<ByteBuffer, Long> numbers = new HashMap<>();
    private long keyBytes;
    private long version;

    CpuTable(TablePlan plan) throws BackendException {
        this.plan = plan;
        long freeBytes = Runtime.getRuntime().maxMemory();
        if (plan.bytes() > freeBytes) {
            throw new BackendException(
                    "no memory for what a program keeps: name="
                            + plan.name()
                            + ", bytes="
                            + plan.bytes()
                            + ", freeBytes="
                            + freeBytes
                            + "; give the process a larger heap, or ask for less");
        }
    }

    @Override
    public void apply(ColumnBatch changes) throws BackendException {
        TextView keys = changes.text(TablePlan.KEY_COLUMN);
        BigIntVector changed = (BigIntVector) changes.vector(TablePlan.NUMBER_COLUMN);
        Map<ByteBuffer, Long> last = new HashMap<>();
        for (int row = 0; row < changes.rows(); row++) {
            ByteBuffer key = ByteBuffer.wrap(keys.copyRow(row));
            if (!changed.isNull(row)) {
                last.put(key, changed.get(row));
            } else if (last.containsKey(key) || numbers.containsKey(key)) {
                last.put(key, null);
            }
        }
        for (Map.Entry<ByteBuffer, Long> change : last.entrySet()) {
            ByteBuffer key = change.getKey();
            if (numbers.containsKey(key) || change.getValue() != null) {
                keyBytes += numbers.containsKey(key) ? 0 : key.remaining();
                numbers.put(key, change.getValue());
            }
        }
        String defect = plan.defectOf(numbers.size(), keyBytes);
        if (defect != null) {
            throw new BackendException(defect);
        }
        version++;
    }

    /** The number of a text; null if there is none. */
    Long find(byte[] key) {
        return numbers.get(ByteBuffer.wrap(key));
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public long bytes() {
        return plan.bytes();
    }
}
