package io.flinkgpu.backend;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;

import org.apache.arrow.memory.ArrowBuf;

/** A batch after redaction: as many rows in the same order. The receiver closes it. */
public final class RedactedBatch implements AutoCloseable {

    private final ColumnBatch batch;
    private final ArrowBuf changed;
    private final long[] matchesPerRule;
    private final long deviceNanos;

    /**
     * @param batch the redacted text as column 0, with the input's separators; owned from here on
     * @param changed a byte a row, not 0 where the row had a match that was redacted; owned likewise
     * @param matchesPerRule redacted matches of each rule
     * @param deviceNanos time the device, or on the CPU the thread, worked on the batch
     */
    public RedactedBatch(
            ColumnBatch batch, ArrowBuf changed, long[] matchesPerRule, long deviceNanos) {
        this.batch = batch;
        this.changed = changed;
        this.matchesPerRule = matchesPerRule;
        this.deviceNanos = deviceNanos;
    }

    public int rows() {
        return batch.rows();
    }

    /** The redacted rows. */
    public TextView text() {
        return batch.text(0);
    }

    /** The redacted rows as column 0; this batch's to close. */
    ColumnBatch columns() {
        return batch;
    }

    /** Whether a row had a match that was redacted; if not, its bytes are those of the input. */
    public boolean changed(int row) {
        return changed.getByte(row) != 0;
    }

    /** Redacted matches of each rule; not to be written to. */
    public long[] matchesPerRule() {
        return matchesPerRule;
    }

    public long deviceNanos() {
        return deviceNanos;
    }

    @Override
    public void close() {
        changed.close();
        batch.close();
    }
}
