package io.flinkgpu.text.regex;

import java.util.ArrayList;
import java.util.List;

/**
 * A look at a neighbour: {@code (?=..)}, {@code (?!..)}, {@code (?<=..)} or {@code (?<!..)} around one class.
 *
 * @param bodyFrom where its body starts
 */
record Lookaround(boolean behind, boolean negative, int bodyFrom) {

    /** The one whose parenthesis is at a position, or null. */
    static Lookaround at(PatternText text, int from) {
        boolean behind = text.startsWith("(?<", from);
        int kind = text.at(from + (behind ? 3 : 2));
        boolean isOne = text.startsWith("(?", from) && (kind == '=' || kind == '!');
        return isOne ? new Lookaround(behind, kind == '!', from + (behind ? 4 : 3)) : null;
    }

    String name() {
        return behind ? "lookbehind" : "lookahead";
    }

    String remedy(Regex body) {
        Sides sides = new Sides();
        if (sides.collect(body) && !(negative && !sides.others.isEmpty())) {
            return "the class has to hold all characters outside ASCII or none of them; write"
                    + " the context into the regex";
        }
        return "only one character class is, or the end of the text; write the context into the"
                + " regex and replace a group of it, or use a validator";
    }

    /** What it asserts, or null if it is more than a class. */
    Regex parsed(Regex body) {
        Sides sides = new Sides();
        if (!sides.collect(body)) {
            return null;
        }
        CodePointSet set = sides.set.build();
        if (!set.takesNonAsciiAlike() || negative && !sides.others.isEmpty()) {
            return null;
        }
        Regex neighbor =
                negative
                        ? new Regex.Neighbor(behind, set.negate(), !sides.edge)
                        : new Regex.Neighbor(behind, set, sides.edge);
        if (sides.others.isEmpty()) {
            return neighbor;
        }
        List<Regex> options = new ArrayList<>(sides.others);
        options.add(neighbor);
        return new Regex.Alternate(options);
    }

    /** What the options of a body are: classes, the edge of the text, and {@code $}. */
    private final class Sides {

        private final CodePointSet.Builder set = new CodePointSet.Builder();
        private final List<Regex> others = new ArrayList<>();
        private boolean edge;

        private boolean collect(Regex body) {
            if (body instanceof Regex.Alternate alternate) {
                return alternate.options().stream().allMatch(this::collect);
            }
            if (body instanceof Regex.Group group) {
                return collect(group.body());
            }
            if (body instanceof Regex.Repeat repeat) {
                // More of the same adds nothing.
                return repeat.min() == 1
                        && repeat.body() instanceof Regex.Chars
                        && collect(repeat.body());
            }
            if (body instanceof Regex.Chars chars) {
                set.add(chars.set());
                return true;
            }
            if (body instanceof Regex.Look look) {
                return collect(look);
            }
            return false;
        }

        private boolean collect(Regex.Look look) {
            switch (look.kind()) {
                case BEGIN -> edge |= behind;
                case END -> edge |= !behind;
                case DOLLAR, UNIX_DOLLAR, LINE_END -> {
                    others.add(look);
                    return !behind;
                }
                case WORD_BOUNDARY, NOT_WORD_BOUNDARY -> {
                    return false;
                }
            }
            return behind == (look.kind() == Regex.Look.Kind.BEGIN);
        }
    }
}
