package io.flinkgpu.backend.plan;

import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.column.TextView;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.util.List;

/**
 * A batch after redaction: as many rows in the same order. One that held lines is one row that holds as
 * many lines. The receiver closes it.
 */
@Internal
public final class RedactedBatch implements AutoCloseable {

    private static final int REFUSED = 2;

    private final ColumnBatch batch;
    private final int lines;

    /** Null where the batch holds lines. */
    private final ArrowBuf changed;

    private final long[] matchesPerRule;
    private final long deviceNanos;
    private final int hardRows;
    private List<RowFinding> findings = List.of();

    /** Null where nobody asks. */
    private int[] inputStarts;

    /**
     * @param batch the redacted text as column 0, with the input's separators; owned from here on
     * @param changed a byte a row, not 0 where the row had a match that was redacted; owned likewise
     * @param matchesPerRule redacted matches of each rule
     * @param deviceNanos time the device, or on the CPU the thread, worked on the batch
     */
    public RedactedBatch(
            ColumnBatch batch, ArrowBuf changed, long[] matchesPerRule, long deviceNanos) {
        this(batch, batch.rows(), changed, matchesPerRule, deviceNanos, 0);
    }

    private RedactedBatch(
            ColumnBatch batch,
            int lines,
            ArrowBuf changed,
            long[] matchesPerRule,
            long deviceNanos,
            int hardRows) {
        this.batch = batch;
        this.lines = lines;
        this.changed = changed;
        this.matchesPerRule = matchesPerRule;
        this.deviceNanos = deviceNanos;
        this.hardRows = hardRows;
    }

    /**
     * What becomes of a batch that holds lines.
     *
     * @param batch the redacted lines as the one row of column 0, each with its {@code '\n'}; owned from
     *     here on
     * @param lines how many
     */
    public static RedactedBatch ofLines(
            ColumnBatch batch, int lines, long[] matchesPerRule, long deviceNanos) {
        return new RedactedBatch(batch, lines, null, matchesPerRule, deviceNanos, 0);
    }

    /** The same with a number of hard rows, in place of this one. */
    public RedactedBatch withHardRows(int rows) {
        RedactedBatch same =
                new RedactedBatch(batch, lines, changed, matchesPerRule, deviceNanos, rows);
        same.findings = findings;
        same.inputStarts = inputStarts;
        return same;
    }

    /**
     * This one, with what was found in some of its rows.
     *
     * @param starts where rows start in the text that they were redacted in, and the end of the last
     */
    public RedactedBatch withFindings(List<RowFinding> found, int[] starts) {
        findings = List.copyOf(found);
        inputStarts = starts;
        return this;
    }

    /** Where a row, or what is after the last one, starts in the text as it came, where there may be findings. */
    public int inputStart(int row) {
        return inputStarts[row];
    }

    /** What was found in some rows, in order, where the plan asks for it. */
    public List<RowFinding> findings() {
        return findings;
    }

    /**
     * What stands for a row that there was no memory to redact: no bytes but a separator, and {@link
     * #refused}.
     *
     * @param rules how many there are
     * @param separatorBytes as the batch has them
     */
    static RedactedBatch ofRefusedRow(BufferAllocator allocator, int rules, int separatorBytes) {
        try (ArrowBuf offsets = allocator.buffer(2L * Integer.BYTES);
                ArrowBuf data = allocator.buffer(1);
                ArrowBuf changed = allocator.buffer(1)) {
            offsets.setInt(0, 0);
            offsets.setInt(Integer.BYTES, separatorBytes);
            data.setByte(0, '\n');
            changed.setByte(0, REFUSED);
            ColumnBatch row = TextColumns.of(allocator, 1, offsets, data, separatorBytes);
            changed.getReferenceManager().retain();
            return new RedactedBatch(row, changed, new long[rules], 0);
        }
    }

    /** Whether a row was not redacted, for lack of memory, and is not here. Not known of lines. */
    public boolean refused(int row) {
        return changed.getByte(row) == REFUSED;
    }

    public int rows() {
        return batch.rows();
    }

    /** How many rows were redacted: those of the batch, or the lines that its one row holds. */
    public int lines() {
        return lines;
    }

    /** Whether the one row holds lines. */
    public boolean holdsLines() {
        return changed == null;
    }

    /** The redacted rows. */
    public TextView text() {
        return batch.text(0);
    }

    /** The redacted rows as column 0; this batch's to close. */
    public ColumnBatch columns() {
        return batch;
    }

    /**
     * Whether a row had a match that was redacted; if not, its bytes are those of the input. Not known of
     * lines.
     */
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

    /** Rows that the matcher which is linear on every row finished: they took too many steps, or were not for the device. */
    public int hardRows() {
        return hardRows;
    }

    @Override
    public void close() {
        if (changed != null) {
            changed.close();
        }
        batch.close();
    }
}
