package io.flinkgpu.backend.views;

import io.flinkgpu.backend.plan.RedactPlan;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.backend.plan.RowFinding;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.KeyedHash;
import io.flinkgpu.text.record.RecordRedactor;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Redacts the records of a batch that its rows alone do not decide, and lists findings. Backend thread only. */
final class RecordFinish {

    private static final int HASH_DIGITS = 32;

    private final BufferAllocator allocator;
    private final RecordRedactor redactor;

    private final int rules;

    /** Of every so many rows with findings one has them listed; 0 if none has. */
    private final int auditEvery;

    private final KeyedHash hash;
    private long rowsWithFindings;

    RecordFinish(BufferAllocator allocator, RedactPlan plan, byte[] hashKey) {
        this.allocator = allocator;
        rules = plan.rules().ruleSet().size();
        redactor = new RecordRedactor(plan.rules(), hashKey);
        auditEvery = plan.auditEvery();
        hash = plan.audits() ? new KeyedHash(hashKey) : null;
    }

    /**
     * The result of a batch.
     *
     * @param redacted what its rows alone became; closed by this, if it returns another one
     * @param viewNanos time the backend worked on texts
     */
    RedactedBatch of(TextView text, RedactedBatch redacted, TextRows rows, long viewNanos) {
        long[] matches = redacted.matchesPerRule().clone();
        int count = text.rows();
        byte[][] finished = new byte[count][];
        boolean[] changed = new boolean[count];
        List<RowFinding> findings = new ArrayList<>();
        int finishes = 0;
        for (int row = 0; row < count; row++) {
            changed[row] = redacted.changed(row);
            boolean finish = rows.needsFinish(row, changed[row]);
            // What is not finished here is searched once more for its findings alone.
            boolean listed = hash != null && !finish && changed[row] && isInSample();
            if (!finish && !listed) {
                continue;
            }
            byte[] record = text.copyRow(row);
            long[] counts = new long[rules];
            int length = redactor.redact(record, record.length, counts);
            if (finish) {
                finishes++;
                finished[row] = Arrays.copyOf(redactor.buffer(), length);
                changed[row] = redactor.changed();
                long[] before = new long[rules];
                redactor.addPlainMatches(record, record.length, before);
                for (int rule = 0; rule < rules; rule++) {
                    matches[rule] += counts[rule] - before[rule];
                }
            }
            boolean found = !redactor.findings().isEmpty();
            if (listed || finish && hash != null && found && isInSample()) {
                addFindings(row, findings);
            }
        }
        RedactedBatch result =
                finishes == 0
                        ? redacted
                        : spliced(redacted, finished, changed, matches, viewNanos)
                                .withHardRows(redacted.hardRows() + finishes);
        if (result != redacted) {
            redacted.close();
        }
        return hash == null ? result : result.withFindings(findings, starts(text));
    }

    private static int[] starts(TextView text) {
        int[] starts = new int[text.rows() + 1];
        for (int row = 0; row < text.rows(); row++) {
            starts[row] = text.start(row);
        }
        starts[text.rows()] = text.dataBytes();
        return starts;
    }

    private boolean isInSample() {
        return rowsWithFindings++ % auditEvery == 0;
    }

    private void addFindings(int row, List<RowFinding> to) {
        for (RecordRedactor.Finding finding : redactor.findings()) {
            byte[] hex = new byte[HASH_DIGITS];
            hash.write(finding.match(), 0, finding.match().length, HASH_DIGITS, hex, 0);
            to.add(
                    new RowFinding(
                            row,
                            finding.rule(),
                            finding.from(),
                            finding.to() - finding.from(),
                            new String(hex, StandardCharsets.US_ASCII)));
        }
    }

    private RedactedBatch spliced(
            RedactedBatch redacted,
            byte[][] finished,
            boolean[] changed,
            long[] matches,
            long viewNanos) {
        TextView from = redacted.text();
        int rows = from.rows();
        int separatorBytes = from.separatorBytes();
        long bytes = from.dataBytes();
        for (int row = 0; row < rows; row++) {
            if (finished[row] != null) {
                bytes += finished[row].length - (from.end(row) - from.start(row));
            }
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new OutOfMemoryException(
                    "a redacted batch has at most 2147483647 bytes: bytes=" + bytes);
        }
        try (ArrowBuf offsets = allocator.buffer(Integer.BYTES * (rows + 1L));
                ArrowBuf data = allocator.buffer(Math.max(1, bytes));
                ArrowBuf flags = allocator.buffer(Math.max(1, rows))) {
            int to = 0;
            for (int row = 0; row < rows; row++) {
                offsets.setInt((long) Integer.BYTES * row, to);
                flags.setByte(row, changed[row] ? 1 : 0);
                int start = from.start(row);
                int end = from.end(row) + separatorBytes;
                if (finished[row] != null) {
                    data.setBytes(to, finished[row]);
                    to += finished[row].length;
                    start = from.end(row);
                }
                MemoryUtil.copyMemory(
                        from.dataAddress() + start, data.memoryAddress() + to, end - start);
                to += end - start;
            }
            offsets.setInt((long) Integer.BYTES * rows, to);
            ColumnBatch batch = TextColumns.of(allocator, rows, offsets, data, separatorBytes);
            flags.getReferenceManager().retain();
            return new RedactedBatch(batch, flags, matches, redacted.deviceNanos() + viewNanos);
        }
    }
}
