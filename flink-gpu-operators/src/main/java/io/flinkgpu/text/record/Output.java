package io.flinkgpu.text.record;

import io.flinkgpu.text.fields.Fields;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A record with some of its bytes replaced or cut. Not thread-safe. */
final class Output {

    private static final String HEX = "0123456789abcdef";

    /**
     * Bytes of the record that others take the place of.
     *
     * @param bytes null if nothing does
     */
    private record Piece(int from, int to, byte[] bytes) {}

    private final List<Piece> pieces = new ArrayList<>();
    private byte[] record;
    private int recordLength;
    private byte[] bytes = new byte[1024];
    private int length;

    /** The text in quotes that was walked last, and up to where: to the last part's start, or its escape's. */
    private Fields.Token walked;

    private int walkedTo;

    private int wideFrom;
    private int wideTo;

    void start(byte[] record, int recordLength) {
        this.record = record;
        this.recordLength = recordLength;
        pieces.clear();
        walked = null;
        length = 0;
    }

    void replace(int from, int to, byte[] replacement, int size) {
        pieces.add(new Piece(from, to, Arrays.copyOf(replacement, size)));
    }

    /** Replaces a part of a text in quotes, with the escapes that it cuts, and writes escapes. */
    void replaceEscaped(Fields.Token token, int from, int to, byte[] replacement, int size) {
        byte[] escaped = escaped(replacement, size);
        if (token.escaped()) {
            widen(token, from, to);
            replace(wideFrom, wideTo, escaped, escaped.length);
        } else {
            replace(from, to, escaped, escaped.length);
        }
    }

    /** Whether a part of a text with escapes has one, or a piece of one. */
    boolean hasEscape(Fields.Token token, int from, int to) {
        widen(token, from, to);
        boolean has = wideFrom < from || wideTo > to;
        for (int at = from; at < to && !has; at++) {
            has = record[at] == '\\';
        }
        return has;
    }

    /** Finds where the escapes start and end that a part of a text cuts; parts of a text are asked for in order. */
    private void widen(Fields.Token token, int from, int to) {
        wideFrom = from;
        wideTo = to;
        if (token != walked) {
            walked = token;
            walkedTo = token.from();
        }
        int at = walkedTo;
        while (at < to) {
            int next = at + (record[at] == '\\' ? escapeBytes(at, token.to()) : 1);
            wideFrom = at < from && from < next ? at : wideFrom;
            wideTo = at < to && to < next ? next : wideTo;
            walkedTo = next <= from ? next : walkedTo;
            at = next;
        }
    }

    /** A pair of surrogates is one, so that no half is left. */
    private int escapeBytes(int at, int end) {
        if (hasHex(at, 'u', 4, end)) {
            boolean high = (record[at + 2] | 0x20) == 'd' && "89abAB".indexOf(record[at + 3]) >= 0;
            boolean low =
                    high
                            && hasHex(at + 6, 'u', 4, end)
                            && (record[at + 8] | 0x20) == 'd'
                            && "cdefCDEF".indexOf(record[at + 9]) >= 0;
            return low ? 12 : 6;
        }
        return hasHex(at, 'x', 2, end) ? 4 : Math.min(end - at, 2);
    }

    private boolean hasHex(int at, char letter, int digits, int end) {
        boolean has = at + 2 + digits <= end && record[at] == '\\' && record[at + 1] == letter;
        for (int i = 0; i < digits && has; i++) {
            has = record[at + 2 + i] > 0 && Character.digit(record[at + 2 + i], 16) >= 0;
        }
        return has;
    }

    /** Replaces a value without quotes by a string. */
    void replaceByString(Fields.Token token, byte[] replacement, int size) {
        byte[] escaped = escaped(replacement, size);
        byte[] quoted = new byte[escaped.length + 2];
        quoted[0] = '"';
        quoted[quoted.length - 1] = '"';
        System.arraycopy(escaped, 0, quoted, 1, escaped.length);
        replace(token.from(), token.to(), quoted, quoted.length);
    }

    private static byte[] escaped(byte[] text, int size) {
        byte[] escaped = new byte[Math.multiplyExact(6, size)];
        int to = 0;
        for (int i = 0; i < size; i++) {
            byte b = text[i];
            if (b == '"' || b == '\\') {
                escaped[to++] = '\\';
                escaped[to++] = b;
            } else if (b >= 0 && b < ' ') {
                escaped[to++] = '\\';
                escaped[to++] = 'u';
                escaped[to++] = '0';
                escaped[to++] = '0';
                escaped[to++] = (byte) HEX.charAt(b >> 4);
                escaped[to++] = (byte) HEX.charAt(b & 15);
            } else {
                escaped[to++] = b;
            }
        }
        return Arrays.copyOf(escaped, to);
    }

    /** Leaves parts of the record out, with all that is replaced in them. */
    void cut(List<int[]> cuts) {
        cuts.forEach(cut -> pieces.add(new Piece(cut[0], cut[1], null)));
    }

    /** Puts a text in the place of the record. */
    void withhold(byte[] text) {
        pieces.clear();
        replace(0, recordLength, text, text.length);
    }

    boolean isChanged() {
        return !pieces.isEmpty();
    }

    void finish() {
        // A cut is before what is replaced in it; several places may have a part of one value.
        pieces.sort(
                Comparator.comparingInt(Piece::from).thenComparing(piece -> piece.bytes != null));
        int copied = 0;
        for (Piece piece : pieces) {
            boolean cut = piece.bytes == null;
            if (piece.from < copied && !cut) {
                copied = Math.max(copied, piece.to);
                continue;
            }
            append(record, copied, piece.from);
            if (!cut) {
                append(piece.bytes, 0, piece.bytes.length);
            }
            copied = Math.max(copied, piece.to);
        }
        append(record, copied, recordLength);
    }

    private void append(byte[] source, int from, int to) {
        if (to <= from) {
            return;
        }
        int needed = Math.addExact(length, to - from);
        if (needed > bytes.length) {
            int grown = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.max(needed, grown));
        }
        System.arraycopy(source, from, bytes, length, to - from);
        length = needed;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }
}
