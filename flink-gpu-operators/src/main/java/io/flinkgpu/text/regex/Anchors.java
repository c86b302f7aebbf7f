package io.flinkgpu.text.regex;

import java.util.List;

/** Reports assertions that stand where they cannot work. */
final class Anchors {

    private final RuleErrors errors;

    private Anchors(RuleErrors errors) {
        this.errors = errors;
    }

    static void check(Regex regex, RuleErrors errors) {
        new Anchors(errors).check(regex, 0, 0, true);
    }

    /**
     * @param before the fewest code points in front
     * @param after the fewest code points after
     * @param last whether nothing at all follows
     */
    private void check(Regex regex, long before, long after, boolean last) {
        if (regex instanceof Regex.Look look) {
            check(look, before, after, last);
        } else if (regex instanceof Regex.Group group) {
            check(group.body(), before, after, last);
        } else if (regex instanceof Regex.Repeat repeat) {
            check(repeat.body(), before, after, last && repeat.max() == 1);
        } else if (regex instanceof Regex.Alternate alternate) {
            for (Regex option : alternate.options()) {
                check(option, before, after, last);
            }
        } else if (regex instanceof Regex.Concat concat) {
            check(concat.parts(), before, after, last);
        }
    }

    private void check(List<Regex> parts, long before, long after, boolean last) {
        long[] following = new long[parts.size() + 1];
        following[parts.size()] = after;
        for (int i = parts.size() - 1; i > 0; i--) {
            following[i] = following[i + 1] + parts.get(i).minLength();
        }
        long inFront = before;
        for (int i = 0; i < parts.size(); i++) {
            check(parts.get(i), inFront, following[i + 1], last && i == parts.size() - 1);
            inFront += parts.get(i).minLength();
        }
    }

    private void check(Regex.Look look, long before, long after, boolean last) {
        switch (look.kind()) {
            case BEGIN -> {
                if (before > 0) {
                    refuse("start of text that can never match", look, "move it to the front");
                }
            }
            case END -> {
                if (after > 0) {
                    refuse("end of text that can never match", look, "move it to the end");
                }
            }
            case DOLLAR, UNIX_DOLLAR, LINE_END -> {
                if (!last) {
                    refuse(
                            "end of text that is not the last of its alternative",
                            look,
                            "move it to the end of the regex or of a top-level alternative");
                }
            }
            case WORD_BOUNDARY, NOT_WORD_BOUNDARY -> {}
        }
    }

    private void refuse(String construct, Regex.Look look, String remedy) {
        errors.refuse(construct, look.text(), look.index(), remedy);
    }
}
