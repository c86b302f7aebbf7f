package io.flinkgpu.backend.cpu.lines.group;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.backend.cpu.bytes.CodePoints;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.WordBytes;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Finds and reads the fields of lines of any format, eight bytes at a time. A line whose fields are not
 * written in an ordinary way is left to {@link LineGrouper#read}.
 *
 * <p>Every line ends with {@code '\n'}, and {@value ByteArena#PADDING} bytes behind the last one can be
 * read: nothing is read that starts behind a line's end, and no more than 24 bytes at once.
 */
@Internal
public final class LineScanner implements TextScanner {

    private static final long NEWLINES = WordBytes.repeated('\n');

    private final LineGrouper grouper;
    private final FieldFormat[] types;
    private final int[] integerDigits;
    private final int[] scales;
    private final int keyField;
    private final int lastField;
    private final byte separator;
    private final long separators;
    private final boolean quoted;

    public LineScanner(LinePlan plan, LineGrouper grouper) {
        Delimited format = plan.format();
        this.grouper = grouper;
        this.keyField = plan.key();
        this.lastField = format.fields().size() - 1;
        this.separator = format.separator();
        this.separators = WordBytes.repeated(format.separator());
        this.quoted = format.isQuoted();
        this.types = format.fields().stream().map(Field::format).toArray(FieldFormat[]::new);
        this.integerDigits = new int[types.length];
        this.scales = new int[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] == FieldFormat.DECIMAL) {
                scales[i] = format.fields().get(i).type().scale();
                integerDigits[i] = format.fields().get(i).type().precision() - scales[i];
            }
        }
    }

    @Override
    public void scan(long start, long end) {
        long lines = 0;
        for (long at = start; at < end; at = line(at, end)) {
            lines++;
        }
        grouper.count(lines);
    }

    /** Takes a line; gives where the next one starts. */
    public long line(long start, long end) {
        long next = line(start);
        return next != 0 ? next : grouper.read(start, end);
    }

    /** Takes a line; gives where the next one starts, or 0 if it is left. */
    private long line(long start) {
        long at = start;
        long key = 0;
        int keyBytes = 0;
        for (int field = 0; field <= lastField; field++) {
            if (quoted && MemoryUtil.getByte(at) == '"') {
                return 0;
            }
            long end = fieldEnd(at);
            boolean isLast = field == lastField;
            if (MemoryUtil.getByte(end) != (isLast ? '\n' : separator)) {
                return 0;
            }
            long next = end + 1;
            if (isLast && end > at && MemoryUtil.getByte(end - 1) == '\r') {
                end--;
            }
            if (field == keyField) {
                key = at;
                keyBytes = (int) (end - at);
            } else if (!read(field, at, end)) {
                return 0;
            }
            at = next;
        }
        return grouper.add(key, keyBytes) ? at : 0;
    }

    /** Where the next separator or line's end is. */
    private long fieldEnd(long start) {
        long at = start;
        while (true) {
            long word = MemoryUtil.getLong(at);
            long marks = WordBytes.marks(word, separators) | WordBytes.marks(word, NEWLINES);
            if (marks != 0) {
                return at + WordBytes.first(marks);
            }
            at += Long.BYTES;
        }
    }

    /** Reads a field that is not the key; gives whether it could be read here. */
    private boolean read(int field, long at, long end) {
        FieldFormat type = types[field];
        if (type == FieldFormat.SKIPPED) {
            return true;
        }
        if (type == FieldFormat.STRING) {
            return CodePoints.areValid(at, end);
        }
        if (at == end) {
            grouper.nulls[field] = true;
            return type != FieldFormat.EPOCH_MILLIS && type != FieldFormat.ISO_TIMESTAMP;
        }
        long word =
                switch (type) {
                    case INT, LONG, EPOCH_MILLIS -> NumberText.integer(at, end);
                    case DECIMAL ->
                            NumberText.decimal(at, end, integerDigits[field], scales[field]);
                    case DOUBLE -> NumberText.doubleBits(at, end);
                    case STRING, ISO_TIMESTAMP, SKIPPED -> NumberText.NOT_READ;
                };
        grouper.nulls[field] = false;
        grouper.words[field] = word;
        return word != NumberText.NOT_READ && (type != FieldFormat.INT || (int) word == word);
    }
}
