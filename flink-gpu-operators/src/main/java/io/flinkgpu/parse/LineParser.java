package io.flinkgpu.parse;

import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Field;
import io.flinkgpu.api.lines.FieldFormat;
import io.flinkgpu.api.lines.LineFields;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;
import java.util.List;

/**
 * Reads one line at a time as {@link Delimited} says: the definition that backends are held to, and what
 * reads the lines that they leave to the host. Keeps the fields of the last line. Not thread-safe.
 *
 * <p>Of several things that are wrong with a line, the leftmost is told.
 */
@Internal
public final class LineParser implements LineFields {

    private static final int EXCERPT_CHARS = 40;

    private final ErrorValues errors;
    private final byte separator;
    private final boolean quoted;
    private final Field[] fields;

    /** What reads a field; null where it is not read. */
    private final FieldReader[] readers;

    private final byte[][] texts;
    private final long[] words;
    private final boolean[] nulls;

    // The field that was cut last: its bytes are text[textFrom, textTo), and the line goes on at
    // next.
    private byte[] text;
    private int textFrom;
    private int textTo;
    private int next;

    /**
     * With nothing of the lines in what is wrong with them.
     *
     * @throws IllegalArgumentException if the format has no field
     */
    public LineParser(Delimited format) {
        this(format, ErrorValues.HIDDEN);
    }

    /**
     * @param errors writes text of the lines into what is wrong with them
     * @throws IllegalArgumentException if the format has no field
     */
    public LineParser(Delimited format, ErrorValues errors) {
        this.errors = errors;
        List<Field> formatFields = format.fields();
        if (formatFields.isEmpty()) {
            throw new IllegalArgumentException(
                    "a format has at least one field: fields=[]; add one, for example"
                            + " Delimited.of(';').string(\"name\")");
        }
        separator = format.separator();
        quoted = format.isQuoted();
        fields = formatFields.toArray(new Field[0]);
        readers = formatFields.stream().map(FieldReader::of).toArray(FieldReader[]::new);
        texts = new byte[fields.length][];
        words = new long[fields.length];
        nulls = new boolean[fields.length];
    }

    /**
     * Reads a line.
     *
     * @param bytes may be changed as soon as this returns
     * @param from its first byte
     * @param to behind its last byte; a line's end is not part of it, a {@code '\r'} may be
     * @return null, or what is wrong with it: one line that names the field, its text as far as errors
     *     show it, and what is expected; the fields mean nothing then
     */
    public String parse(byte[] bytes, int from, int to) {
        int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
        next = from;
        for (int i = 0; i < fields.length; i++) {
            if (next > end) {
                return "%s: is missing: the line has %d of %d fields"
                        .formatted(label(i), i, fields.length);
            }
            String reason = cut(bytes, end);
            if (reason == null) {
                reason = read(i);
            }
            if (reason != null) {
                return label(i) + ": " + reason;
            }
        }
        return next > end
                ? null
                : "%s: is the last of %d, but the line goes on with %s"
                        .formatted(
                                label(fields.length - 1),
                                fields.length,
                                excerpt(bytes, next - 1, end));
    }

    @Override
    public boolean isNull(int field) {
        return nulls[field];
    }

    @Override
    public long word(int field) {
        return words[field];
    }

    @Override
    public byte[] text(int field) {
        return texts[field];
    }

    /** Cuts the field that starts at {@code next}; gives what is wrong with its quotes. */
    private String cut(byte[] bytes, int end) {
        if (quoted && next < end && bytes[next] == '"') {
            return cutQuoted(bytes, end);
        }
        text = bytes;
        textFrom = next;
        while (next < end && bytes[next] != separator) {
            next++;
        }
        textTo = next;
        next++;
        return null;
    }

    private String cutQuoted(byte[] bytes, int end) {
        int start = next;
        int at = start + 1;
        while (at < end && (bytes[at] != '"' || at + 1 < end && bytes[at + 1] == '"')) {
            at += bytes[at] == '"' ? 2 : 1;
        }
        if (at == end) {
            return "%s has no closing quote".formatted(excerpt(bytes, start, end));
        }
        if (at + 1 < end && bytes[at + 1] != separator) {
            return "%s has text behind its closing quote".formatted(excerpt(bytes, start, end));
        }
        next = at + 2;
        unquote(bytes, start + 1, at);
        return null;
    }

    private void unquote(byte[] bytes, int from, int to) {
        text = new byte[to - from];
        textFrom = 0;
        textTo = 0;
        for (int i = from; i < to; i++) {
            text[textTo++] = bytes[i];
            i += bytes[i] == '"' ? 1 : 0;
        }
    }

    /** Reads the field that was cut; gives what is wrong with it. */
    private String read(int field) {
        FieldReader reader = readers[field];
        nulls[field] = false;
        words[field] = 0;
        if (reader == null) {
            return null;
        }
        if (textFrom == textTo && isNullable(field)) {
            nulls[field] = true;
            return null;
        }
        if (!reader.read(text, textFrom, textTo)) {
            return "%s is not %s".formatted(excerpt(text, textFrom, textTo), reader.expected());
        }
        if (fields[field].format() == FieldFormat.STRING) {
            texts[field] = Arrays.copyOfRange(text, textFrom, textTo);
        } else {
            words[field] = reader.word();
        }
        return null;
    }

    private String excerpt(byte[] bytes, int from, int to) {
        return errors.shown(bytes, from, to, EXCERPT_CHARS);
    }

    private boolean isNullable(int field) {
        return fields[field].isNumber() && !fields[field].isTimestamp();
    }

    private String label(int field) {
        return fields[field].format() == FieldFormat.SKIPPED
                ? "field " + (field + 1) + " (skipped)"
                : "field '" + fields[field].name() + "'";
    }
}
