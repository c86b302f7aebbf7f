package io.flinkgpu.text;

import io.flinkgpu.text.regex.Regex;

import java.util.ArrayList;
import java.util.List;

/** Makes of an expression others that match wherever it does, and elsewhere, and need fewer states. */
final class Widened {

    private Widened() {}

    /** Whether it looks at a neighbour of a place in its middle. */
    static boolean hasInnerBorder(Regex regex) {
        return !withoutInnerBorders(regex, true, true).equals(regex);
    }

    /** Repeats that may be of several counts have no upper limit, and borders in its middle are anywhere. */
    static Regex withoutLimits(Regex regex) {
        return withoutCounts(withoutInnerBorders(regex, true, true), false);
    }

    /** Repeats have no upper limit, nor a lower one over 1. */
    static Regex withoutCounts(Regex regex) {
        return withoutCounts(regex, true);
    }

    private static Regex withoutCounts(Regex regex, boolean allCounts) {
        if (regex instanceof Regex.Repeat repeat) {
            Regex body = withoutCounts(repeat.body(), allCounts);
            boolean counts = repeat.max() > 1 && (allCounts || repeat.min() < repeat.max());
            int min = allCounts ? Math.min(1, repeat.min()) : repeat.min();
            return counts
                    ? new Regex.Repeat(body, min, Regex.Repeat.UNBOUNDED, repeat.greedy())
                    : new Regex.Repeat(body, repeat.min(), repeat.max(), repeat.greedy());
        }
        if (regex instanceof Regex.Group group) {
            return new Regex.Group(
                    group.number(), group.name(), withoutCounts(group.body(), allCounts));
        }
        if (regex instanceof Regex.Alternate alternate) {
            return new Regex.Alternate(
                    alternate.options().stream()
                            .map(option -> withoutCounts(option, allCounts))
                            .toList());
        }
        if (regex instanceof Regex.Concat concat) {
            return new Regex.Concat(
                    concat.parts().stream().map(part -> withoutCounts(part, allCounts)).toList());
        }
        return regex;
    }

    /**
     * @param first whether a match starts where it does
     * @param last whether a match ends where it does
     */
    private static Regex withoutInnerBorders(Regex regex, boolean first, boolean last) {
        if (isBorder(regex)) {
            return first || last ? regex : Regex.Concat.EMPTY;
        }
        if (regex instanceof Regex.Repeat repeat) {
            Regex body = withoutInnerBorders(repeat.body(), false, false);
            return new Regex.Repeat(body, repeat.min(), repeat.max(), repeat.greedy());
        }
        if (regex instanceof Regex.Group group) {
            return new Regex.Group(
                    group.number(), group.name(), withoutInnerBorders(group.body(), first, last));
        }
        if (regex instanceof Regex.Alternate alternate) {
            return new Regex.Alternate(
                    alternate.options().stream()
                            .map(option -> withoutInnerBorders(option, first, last))
                            .toList());
        }
        return regex instanceof Regex.Concat concat
                ? withoutInnerBorders(concat.parts(), first, last)
                : regex;
    }

    private static Regex withoutInnerBorders(List<Regex> parts, boolean first, boolean last) {
        int from = 0;
        while (from < parts.size() - 1 && isBorder(parts.get(from))) {
            from++;
        }
        int to = parts.size() - 1;
        while (to > 0 && isBorder(parts.get(to))) {
            to--;
        }
        List<Regex> inner = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            inner.add(withoutInnerBorders(parts.get(i), first && i <= from, last && i >= to));
        }
        return new Regex.Concat(inner);
    }

    private static boolean isBorder(Regex regex) {
        return regex instanceof Regex.Look || regex instanceof Regex.Neighbor;
    }
}
