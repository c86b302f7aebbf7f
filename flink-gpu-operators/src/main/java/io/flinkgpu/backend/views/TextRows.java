package io.flinkgpu.backend.views;

import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextColumns;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.record.RecordText;
import io.flinkgpu.text.record.RecordTexts;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The texts of a batch's records, other than themselves, as rows of a batch of their own. */
final class TextRows implements AutoCloseable {

    /** Rows of the batch that are finished on the host whatever is found in them. */
    private final BitSet unconditional = new BitSet();

    /** Rows of the batch in which fields were found. */
    private final BitSet withFields = new BitSet();

    /** Rows of the batch of which a text has a match. */
    private final BitSet found = new BitSet();

    /** Of each text, the row of the batch that it is of, and where it ends in the data. */
    private int[] rowOf = new int[64];

    private int[] ends = new int[64];
    private int texts;

    /** The texts, in memory that counts as the batch's; null if there are none. */
    private ArrowBuf data;

    private int dataBytes;

    /** Null if there are no texts. */
    private ColumnBatch batch;

    /** Reads the rows of a batch. */
    void addAll(TextView text, RecordTexts maker, BufferAllocator allocator) {
        byte[] record = new byte[256];
        for (int row = 0; row < text.rows(); row++) {
            int start = text.start(row);
            int length = text.end(row) - start;
            if (length > record.length) {
                record = new byte[Math.max(length, 2 * record.length)];
            }
            text.copy(start, record, length);
            if (maker.isPlain(record, length)) {
                continue;
            }
            List<RecordText> all = maker.of(record, length);
            boolean needsRecord = false;
            for (RecordText more : all.subList(1, all.size())) {
                append(more, allocator);
                add(row, dataBytes);
                needsRecord |= maker.needsRecord(more);
            }
            withFields.set(row, maker.hasFields());
            unconditional.set(row, maker.isCut() || maker.isWithheld() || needsRecord);
        }
        if (texts > 0) {
            batch = columns(allocator);
        }
    }

    /** Copies a text behind those before. */
    private void append(RecordText text, BufferAllocator allocator) {
        if (dataBytes > Integer.MAX_VALUE - 64 - text.length()) {
            throw new OutOfMemoryException("the texts of a batch have at most 2147483647 bytes");
        }
        long needed = (long) dataBytes + text.length();
        if (data == null || data.capacity() < needed) {
            ArrowBuf more =
                    allocator.buffer(Math.max(needed, data == null ? 4096 : 2 * data.capacity()));
            if (data != null) {
                MemoryUtil.copyMemory(data.memoryAddress(), more.memoryAddress(), dataBytes);
                data.close();
            }
            data = more;
        }
        MemoryUtil.copyToMemory(text.bytes(), 0, data.memoryAddress() + dataBytes, text.length());
        dataBytes = (int) needed;
    }

    private void add(int row, int end) {
        if (texts == rowOf.length) {
            rowOf = Arrays.copyOf(rowOf, 2 * texts);
            ends = Arrays.copyOf(ends, 2 * texts);
        }
        rowOf[texts] = row;
        ends[texts++] = end;
    }

    private ColumnBatch columns(BufferAllocator allocator) {
        try (ArrowBuf offsets = allocator.buffer(Integer.BYTES * (texts + 1L))) {
            offsets.setInt(0, 0);
            for (int i = 0; i < texts; i++) {
                offsets.setInt(Integer.BYTES * (i + 1L), ends[i]);
            }
            return TextColumns.of(allocator, texts, offsets, data, 0);
        }
    }

    boolean isAny() {
        return batch != null;
    }

    /** Stays this one's to close. */
    ColumnBatch batch() {
        return batch;
    }

    /** Notes in which texts something was found. */
    void noteChanged(RedactedBatch redacted) {
        for (int i = 0; i < texts; i++) {
            if (redacted.changed(i)) {
                found.set(rowOf[i]);
            }
        }
    }

    /** Whether a row is finished on the host. */
    boolean needsFinish(int row, boolean plainChanged) {
        return unconditional.get(row) || found.get(row) || plainChanged && withFields.get(row);
    }

    @Override
    public void close() {
        if (batch != null) {
            batch.close();
            batch = null;
        }
        if (data != null) {
            data.close();
            data = null;
        }
    }
}
