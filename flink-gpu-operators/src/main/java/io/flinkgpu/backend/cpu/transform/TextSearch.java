package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.cpu.bytes.Bytes;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Finds a text in another by its first byte. A search that compares too much in vain is finished by the
 * algorithm of Knuth, Morris and Pratt (SIAM J. Comput. 6, 1977), so that time is linear in both texts.
 * Not thread-safe.
 */
@Internal
public final class TextSearch {

    /** Bytes that may be compared in vain for each byte of the text, and besides. */
    private static final int VAIN_PER_BYTE = 4;

    private static final int FREE_VAIN = 256;

    private int[] borders = new int[64];

    /** Where a text first occurs in another, from an offset on, or -1. */
    int find(long text, int length, int from, long what, int whatLength) {
        if (whatLength == 0) {
            return from;
        }
        int first = MemoryUtil.getByte(what) & 0xff;
        if (whatLength == 1) {
            int found = Bytes.indexOf(text + from, length - from, first);
            return found < 0 ? -1 : from + found;
        }
        long vain = 0;
        int at = from;
        for (int last = length - whatLength; at <= last; at++) {
            int found = Bytes.indexOf(text + at, last - at + 1, first);
            if (found < 0) {
                return -1;
            }
            at += found;
            int same = same(text + at, what, whatLength);
            if (same == whatLength) {
                return at;
            }
            vain += same;
            if (vain > FREE_VAIN + (long) VAIN_PER_BYTE * (at - from)) {
                return findLinear(text, length, at + 1, what, whatLength);
            }
        }
        return -1;
    }

    /** How many bytes of two runs are the same before the first that is not. */
    private static int same(long a, long b, int length) {
        int i = 0;
        while (i < length && MemoryUtil.getByte(a + i) == MemoryUtil.getByte(b + i)) {
            i++;
        }
        return i;
    }

    private int findLinear(long text, int length, int from, long what, int whatLength) {
        findBorders(what, whatLength);
        int matched = 0;
        for (int at = from; at < length; at++) {
            byte value = MemoryUtil.getByte(text + at);
            while (matched > 0 && MemoryUtil.getByte(what + matched) != value) {
                matched = borders[matched];
            }
            if (MemoryUtil.getByte(what + matched) == value) {
                matched++;
            }
            if (matched == whatLength) {
                return at + 1 - whatLength;
            }
        }
        return -1;
    }

    /** For each prefix the longest shorter one that it ends with. */
    private void findBorders(long what, int length) {
        if (borders.length <= length) {
            borders = new int[Math.max(length + 1, 2 * borders.length)];
        }
        borders[1] = 0;
        int border = 0;
        for (int i = 1; i < length; i++) {
            byte value = MemoryUtil.getByte(what + i);
            while (border > 0 && MemoryUtil.getByte(what + border) != value) {
                border = borders[border];
            }
            if (MemoryUtil.getByte(what + border) == value) {
                border++;
            }
            borders[i + 1] = border;
        }
    }
}
