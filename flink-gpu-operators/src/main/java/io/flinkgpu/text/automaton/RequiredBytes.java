package io.flinkgpu.text.automaton;

import io.flinkgpu.text.regex.CodePointSet;
import io.flinkgpu.text.regex.Regex;

/** Works out which bytes every match of a regex holds. Sets are 256 bits in four longs. */
public final class RequiredBytes {

    private static final int WORDS = 4;

    private RequiredBytes() {}

    /** Bytes in every match; perhaps not all of them. */
    public static long[] of(Regex regex) {
        long[] required = new long[WORDS];
        if (regex instanceof Regex.Chars chars) {
            return of(chars.set());
        } else if (regex instanceof Regex.Concat concat) {
            for (Regex part : concat.parts()) {
                long[] ofPart = of(part);
                for (int i = 0; i < WORDS; i++) {
                    required[i] |= ofPart[i];
                }
            }
        } else if (regex instanceof Regex.Alternate alternate) {
            required = of(alternate.options().get(0));
            for (Regex option : alternate.options()) {
                intersect(required, of(option));
            }
        } else if (regex instanceof Regex.Repeat repeat && repeat.min() > 0) {
            return of(repeat.body());
        }
        return required;
    }

    private static long[] of(CodePointSet set) {
        int[][] sequences = Utf8Ranges.of(set);
        if (sequences.length == 0) {
            return new long[WORDS];
        }
        long[] required = null;
        for (int[] sequence : sequences) {
            long[] ofSequence = new long[WORDS];
            for (int i = 0; i < sequence.length; i += 2) {
                if (sequence[i] == sequence[i + 1]) {
                    ofSequence[sequence[i] >> 6] |= 1L << sequence[i];
                }
            }
            if (required == null) {
                required = ofSequence;
            } else {
                intersect(required, ofSequence);
            }
        }
        return required;
    }

    private static void intersect(long[] into, long[] other) {
        for (int i = 0; i < WORDS; i++) {
            into[i] &= other[i];
        }
    }
}
