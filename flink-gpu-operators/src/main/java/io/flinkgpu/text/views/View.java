package io.flinkgpu.text.views;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * A text made of another one by decoding parts of it. Between the parts its bytes are those of the source, so that
 * only the parts are kept. Filled once, from left to right.
 */
@Internal
public final class View {

    private static final int INTS = 4;

    private byte[] bytes;
    private int length;

    /** Of each part: where it starts in the view, its bytes there, where it starts in the source, its bytes there. */
    private int[] parts = new int[8 * INTS];

    private int partCount;
    private int copiedTo;

    View(int roomBytes) {
        bytes = new byte[roomBytes];
    }

    /** Copies the source up to an offset, which is not before the last part's end. */
    void copy(byte[] source, int to) {
        reserve(to - copiedTo);
        System.arraycopy(source, copiedTo, bytes, length, to - copiedTo);
        length += to - copiedTo;
        copiedTo = to;
    }

    /** Copies the source up to a part, and adds what that is decoded to. */
    void add(byte[] source, int from, int to, byte[] decoded, int decodedLength) {
        copy(source, from);
        reserve(decodedLength);
        System.arraycopy(decoded, 0, bytes, length, decodedLength);
        if ((partCount + 1) * INTS > parts.length) {
            parts = Arrays.copyOf(parts, 2 * parts.length);
        }
        int at = INTS * partCount++;
        parts[at] = length;
        parts[at + 1] = decodedLength;
        parts[at + 2] = from;
        parts[at + 3] = to - from;
        length += decodedLength;
        copiedTo = to;
    }

    private void reserve(int more) {
        int needed = Math.addExact(length, more);
        if (needed > bytes.length) {
            int grown = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.max(needed, grown));
        }
    }

    /** Holds the text, from its start on; not to be written to. */
    public byte[] bytes() {
        return bytes;
    }

    /** The text's bytes. */
    public int length() {
        return length;
    }

    /** Where the byte, or the part, of the source starts that a byte of the view is of. */
    public int sourceStart(int at) {
        int part = INTS * lastPart(at);
        if (part < 0) {
            return at;
        }
        int after = at - parts[part] - parts[part + 1];
        return after < 0 ? parts[part + 2] : parts[part + 2] + parts[part + 3] + after;
    }

    /** Where that byte, or part, of the source ends. */
    public int sourceEnd(int at) {
        int part = INTS * lastPart(at);
        boolean inside = part >= 0 && at < parts[part] + parts[part + 1];
        return inside ? parts[part + 2] + parts[part + 3] : sourceStart(at) + 1;
    }

    /** The last part that starts at a byte of the view or before it; -1 if there is none. */
    private int lastPart(int at) {
        int low = 0;
        int high = partCount;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (parts[INTS * middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
