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

    /** The text in quotes that was walked last, and up to where: the end of a byte or an escape. */
    private Fields.Token walked;

    private int walkedTo;

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
        int start = from;
        int end = to;
        if (token.escaped()) {
            int at = token == walked ? walkedTo : token.from();
            while (at < to) {
                int next = at + (record[at] == '\\' ? escapeBytes(at, token.to()) : 1);
                start = at < from && from < next ? at : start;
                end = at < to && to < next ? next : end;
                at = next;
            }
            walked = token;
            walkedTo = at;
            end = Math.max(end, Math.min(at, token.to()));
        }
        byte[] escaped = escaped(replacement, size);
        replace(start, end, escaped, escaped.length);
    }

    /** A pair of surrogates is one, so that no half is left. */
    private int escapeBytes(int at, int end) {
        boolean high =
                isUnit(at, end)
                        && (record[at + 2] | 0x20) == 'd'
                        && "89abAB".indexOf(record[at + 3]) >= 0;
        boolean low =
                high
                        && isUnit(at + 6, end)
                        && (record[at + 8] | 0x20) == 'd'
                        && "cdefCDEF".indexOf(record[at + 9]) >= 0;
        return low ? 12 : Math.min(end - at, isUnit(at, end) ? 6 : 2);
    }

    private boolean isUnit(int at, int end) {
        return at + 6 <= end && record[at] == '\\' && record[at + 1] == 'u';
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
                Comparator.comparingInt(Piece::from)
                        .thenComparing(piece -> piece.bytes != null)
                        .thenComparing(Comparator.comparingInt(Piece::to).reversed()));
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
