package io.flinkgpu.text.regex;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/** An immutable set of code points, as sorted ranges that neither overlap nor touch. */
@Internal
public final class CodePointSet {

    static final CodePointSet EMPTY = new CodePointSet(new int[0]);
    static final CodePointSet ALL = range(0, Character.MAX_CODE_POINT);
    static final CodePointSet DIGIT = range('0', '9');
    static final CodePointSet WORD =
            new Builder().add('0', '9').add('A', 'Z').add('_', '_').add('a', 'z').build();
    static final CodePointSet SPACE = new Builder().add('\t', '\r').add(' ', ' ').build();

    /** What {@code .} matches: all but {@code \n \r U+0085 U+2028 U+2029}. */
    static final CodePointSet DOT =
            new Builder()
                    .add('\n', '\n')
                    .add('\r', '\r')
                    .add(0x85, 0x85)
                    .add(0x2028, 0x2029)
                    .build()
                    .negate();

    private final int[] bounds;

    private CodePointSet(int[] bounds) {
        this.bounds = bounds;
    }

    /** The set of {@code low} to {@code high}, both included. */
    static CodePointSet range(int low, int high) {
        return new CodePointSet(new int[] {low, high});
    }

    /** How many ranges the set has. */
    public int ranges() {
        return bounds.length / 2;
    }

    public int low(int range) {
        return bounds[2 * range];
    }

    public int high(int range) {
        return bounds[2 * range + 1];
    }

    /**
     * Whether it holds all code points outside ASCII, or none of them. Surrogates, which UTF-8 does not
     * encode, do not count.
     */
    boolean takesNonAsciiAlike() {
        CodePointSet surrogates = range(Character.MIN_SURROGATE, Character.MAX_SURROGATE);
        CodePointSet ascii = range(0, 0x7f);
        CodePointSet all = new Builder().add(this).add(surrogates).add(ascii).build();
        return all.equals(ALL) || all.equals(new Builder().add(surrogates).add(ascii).build());
    }

    public boolean contains(int codePoint) {
        for (int i = 0; i < bounds.length; i += 2) {
            if (codePoint >= bounds[i] && codePoint <= bounds[i + 1]) {
                return true;
            }
        }
        return false;
    }

    CodePointSet negate() {
        Builder rest = new Builder();
        int next = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            rest.add(next, bounds[i] - 1);
            next = bounds[i + 1] + 1;
        }
        return rest.add(next, Character.MAX_CODE_POINT).build();
    }

    /** The set with both cases of every ASCII letter in it; other letters stay alone. */
    CodePointSet foldAscii() {
        Builder folded = new Builder().add(this);
        for (int letter = 'a'; letter <= 'z'; letter++) {
            int upper = letter - 'a' + 'A';
            if (contains(letter) || contains(upper)) {
                folded.add(letter, letter).add(upper, upper);
            }
        }
        return folded.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CodePointSet that && Arrays.equals(bounds, that.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("CodePointSet[");
        for (int i = 0; i < bounds.length; i += 2) {
            text.append(String.format(i == 0 ? "%x-%x" : " %x-%x", bounds[i], bounds[i + 1]));
        }
        return text.append(']').toString();
    }

    /** Collects ranges in any order. */
    static final class Builder {

        private long[] packed = new long[8];
        private int count;

        /** Adds {@code low} to {@code high}, both included; nothing if {@code high < low}. */
        Builder add(int low, int high) {
            if (low <= high) {
                if (count == packed.length) {
                    packed = Arrays.copyOf(packed, 2 * count);
                }
                packed[count++] = (long) low << 32 | high;
            }
            return this;
        }

        Builder add(CodePointSet set) {
            for (int i = 0; i < set.ranges(); i++) {
                add(set.low(i), set.high(i));
            }
            return this;
        }

        CodePointSet build() {
            Arrays.sort(packed, 0, count);
            int[] bounds = new int[2 * count];
            int used = 0;
            for (int i = 0; i < count; i++) {
                int low = (int) (packed[i] >>> 32);
                int high = (int) packed[i];
                if (used > 0 && low <= bounds[used - 1] + 1) {
                    bounds[used - 1] = Math.max(bounds[used - 1], high);
                } else {
                    bounds[used++] = low;
                    bounds[used++] = high;
                }
            }
            return new CodePointSet(Arrays.copyOf(bounds, used));
        }
    }
}
