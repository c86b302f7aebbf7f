package io.flinkgpu.text;

import io.flinkgpu.text.regex.Regex;

import java.util.List;

/** Makes of an expression others that match wherever it does, and elsewhere, and need fewer states. */
final class Widened {

    /** Repeats that may be of several counts have no upper limit. */
    private static final int NO_MAXIMUM = 0;

    /** No repeat counts. */
    private static final int NO_COUNT = 1;

    private Widened() {}

    /** The nearest first. */
    static List<Regex> of(Regex regex) {
        return List.of(widen(regex, NO_MAXIMUM), widen(regex, NO_COUNT));
    }

    private static Regex widen(Regex regex, int how) {
        if (regex instanceof Regex.Repeat repeat) {
            Regex body = widen(repeat.body(), how);
            boolean counts = repeat.max() > 1 && (how == NO_COUNT || repeat.min() < repeat.max());
            return counts
                    ? new Regex.Repeat(
                            body,
                            how == NO_COUNT ? Math.min(1, repeat.min()) : repeat.min(),
                            Regex.Repeat.UNBOUNDED,
                            repeat.greedy())
                    : new Regex.Repeat(body, repeat.min(), repeat.max(), repeat.greedy());
        }
        if (regex instanceof Regex.Group group) {
            return new Regex.Group(group.number(), group.name(), widen(group.body(), how));
        }
        if (regex instanceof Regex.Alternate alternate) {
            return new Regex.Alternate(
                    alternate.options().stream().map(option -> widen(option, how)).toList());
        }
        if (regex instanceof Regex.Concat concat) {
            return new Regex.Concat(
                    concat.parts().stream().map(part -> widen(part, how)).toList());
        }
        return regex;
    }
}
