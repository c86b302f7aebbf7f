package io.flinkgpu.sql.planner;

import io.flinkgpu.text.regex.CodePointSet;
import io.flinkgpu.text.regex.Regex;

import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/** Code points in classes: those of one class are in the same sets of all regular expressions of a chain. */
final class Alphabet {

    /** Stands for what is in front of a text and behind it. */
    static final int EDGE = 0;

    /** The least code point of each class but the edge; classes are ranges. */
    private final int[] starts;

    private final BitSet words = new BitSet();

    Alphabet(List<Regex> regexes) {
        TreeSet<Integer> bounds = new TreeSet<>();
        bounds.add(0);
        // Where word characters begin and end, and ASCII does.
        "0:A[_`a{\u0080".codePoints().forEach(bounds::add);
        regexes.forEach(regex -> collect(regex, bounds));
        starts = bounds.stream().mapToInt(it -> it).toArray();
        for (int symbol = 1; symbol <= starts.length; symbol++) {
            int start = starts[symbol - 1];
            words.set(symbol, start < 0x80 && (Character.isLetterOrDigit(start) || start == '_'));
        }
    }

    /** How many classes there are, with the edge. */
    int size() {
        return starts.length + 1;
    }

    int of(int codePoint) {
        int low = 0;
        int high = starts.length - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (starts[middle] <= codePoint) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low + 1;
    }

    boolean isWord(int symbol) {
        return words.get(symbol);
    }

    /** The classes of a set, which holds each whole or not at all. */
    BitSet of(CodePointSet set) {
        BitSet symbols = new BitSet();
        for (int i = 0; i < set.ranges(); i++) {
            symbols.set(of(set.low(i)), of(set.high(i)) + 1);
        }
        return symbols;
    }

    private static void collect(Regex regex, TreeSet<Integer> bounds) {
        if (regex instanceof Regex.Chars chars) {
            collect(chars.set(), bounds);
        } else if (regex instanceof Regex.Neighbor neighbor) {
            collect(neighbor.set(), bounds);
        }
        parts(regex).forEach(part -> collect(part, bounds));
    }

    private static void collect(CodePointSet set, TreeSet<Integer> bounds) {
        for (int i = 0; i < set.ranges(); i++) {
            bounds.add(set.low(i));
            bounds.add(set.high(i) + 1);
        }
    }

    /** What a regular expression consists of. */
    static List<Regex> parts(Regex regex) {
        if (regex instanceof Regex.Concat concat) {
            return concat.parts();
        }
        if (regex instanceof Regex.Alternate alternate) {
            return alternate.options();
        }
        if (regex instanceof Regex.Group group) {
            return List.of(group.body());
        }
        return regex instanceof Regex.Repeat repeat ? List.of(repeat.body()) : List.of();
    }
}
