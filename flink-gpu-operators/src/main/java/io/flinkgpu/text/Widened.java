package io.flinkgpu.text;

import io.flinkgpu.text.regex.Regex;

/** Makes of an expression others that match wherever it does, and elsewhere, and need fewer states. */
final class Widened {

    private Widened() {}

    /** Repeats that may be of several counts have no upper limit. */
    static Regex withoutLimits(Regex regex) {
        return widen(regex, false);
    }

    /** Nor a lower one over 1, and those of one count likewise. */
    static Regex withoutCounts(Regex regex) {
        return widen(regex, true);
    }

    private static Regex widen(Regex regex, boolean allCounts) {
        if (regex instanceof Regex.Repeat repeat) {
            Regex body = widen(repeat.body(), allCounts);
            boolean counts = repeat.max() > 1 && (allCounts || repeat.min() < repeat.max());
            int min = allCounts ? Math.min(1, repeat.min()) : repeat.min();
            return counts
                    ? new Regex.Repeat(body, min, Regex.Repeat.UNBOUNDED, repeat.greedy())
                    : new Regex.Repeat(body, repeat.min(), repeat.max(), repeat.greedy());
        }
        if (regex instanceof Regex.Group group) {
            return new Regex.Group(group.number(), group.name(), widen(group.body(), allCounts));
        }
        if (regex instanceof Regex.Alternate alternate) {
            return new Regex.Alternate(
                    alternate.options().stream().map(option -> widen(option, allCounts)).toList());
        }
        if (regex instanceof Regex.Concat concat) {
            return new Regex.Concat(
                    concat.parts().stream().map(part -> widen(part, allCounts)).toList());
        }
        return regex;
    }
}
