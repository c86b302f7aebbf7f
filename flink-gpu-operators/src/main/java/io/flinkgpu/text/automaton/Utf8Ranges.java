package io.flinkgpu.text.automaton;

import io.flinkgpu.text.regex.CodePointSet;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns code point sets into UTF-8 byte ranges.
 *
 * <p>A range of code points becomes sequences of one to four byte ranges that match exactly its
 * well-formed encodings; surrogates have none. Sequences come in ascending order, and at each depth
 * two sequences with the same prefix have either the same byte range or disjoint ones.
 */
@Internal
public final class Utf8Ranges {

    private static final int[] LAST_OF_LENGTH = {0x7f, 0x7ff, 0xffff};

    private final List<int[]> sequences = new ArrayList<>();

    private Utf8Ranges() {}

    /** The sequences of a set: each {@code {low, high, low, high, ...}}, one pair a byte. */
    public static int[][] of(CodePointSet set) {
        Utf8Ranges ranges = new Utf8Ranges();
        for (int i = 0; i < set.ranges(); i++) {
            ranges.add(set.low(i), set.high(i));
        }
        return ranges.sequences.toArray(new int[0][]);
    }

    private void add(int low, int high) {
        if (low > high) {
            return;
        }
        if (low <= Character.MAX_SURROGATE && high >= Character.MIN_SURROGATE) {
            add(low, Character.MIN_SURROGATE - 1);
            add(Character.MAX_SURROGATE + 1, high);
            return;
        }
        for (int last : LAST_OF_LENGTH) {
            if (low <= last && high > last) {
                add(low, last);
                add(last + 1, high);
                return;
            }
        }
        int length = encodedLength(low);
        for (int tail = 1; tail < length; tail++) {
            int mask = (1 << 6 * tail) - 1;
            if ((low & ~mask) != (high & ~mask)) {
                if ((low & mask) != 0) {
                    add(low, low | mask);
                    add((low | mask) + 1, high);
                    return;
                }
                if ((high & mask) != mask) {
                    add(low, (high & ~mask) - 1);
                    add(high & ~mask, high);
                    return;
                }
            }
        }
        int[] sequence = new int[2 * length];
        for (int i = 0; i < length; i++) {
            sequence[2 * i] = encodedByte(low, length, i);
            sequence[2 * i + 1] = encodedByte(high, length, i);
        }
        sequences.add(sequence);
    }

    private static int encodedLength(int codePoint) {
        int length = 1;
        for (int last : LAST_OF_LENGTH) {
            if (codePoint > last) {
                length++;
            }
        }
        return length;
    }

    private static int encodedByte(int codePoint, int length, int index) {
        if (length == 1) {
            return codePoint;
        }
        int bits = codePoint >> 6 * (length - 1 - index);
        return index == 0 ? 0xff00 >> length & 0xff | bits : 0x80 | bits & 0x3f;
    }
}
