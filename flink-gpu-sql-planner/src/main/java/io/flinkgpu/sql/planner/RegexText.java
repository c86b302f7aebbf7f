package io.flinkgpu.sql.planner;

import io.flinkgpu.text.regex.CodePointSet;
import io.flinkgpu.text.regex.Regex;

import java.util.List;

/** What can be told of a regular expression from its parts alone. */
final class RegexText {

    private RegexText() {}

    /** Whether it asks what is a letter, which Java answers otherwise before JDK 19. */
    static boolean looksAtWords(Regex regex) {
        return regex instanceof Regex.Look look
                        && (look.kind() == Regex.Look.Kind.WORD_BOUNDARY
                                || look.kind() == Regex.Look.Kind.NOT_WORD_BOUNDARY)
                || parts(regex).stream().anyMatch(RegexText::looksAtWords);
    }

    /** Whether it asks for anything around a match. */
    static boolean looks(Regex regex) {
        return regex instanceof Regex.Look || parts(regex).stream().anyMatch(RegexText::looks);
    }

    /** Whether a match can have one of the characters of a text. */
    static boolean canMatch(Regex regex, String text) {
        return text.codePoints().anyMatch(codePoint -> canMatch(regex, codePoint, codePoint));
    }

    /** Whether a character can be in matches of both. */
    static boolean haveCommon(Regex one, Regex other) {
        if (one instanceof Regex.Chars chars) {
            CodePointSet set = chars.set();
            for (int i = 0; i < set.ranges(); i++) {
                if (canMatch(other, set.low(i), set.high(i))) {
                    return true;
                }
            }
        }
        return parts(one).stream().anyMatch(part -> haveCommon(part, other));
    }

    private static boolean canMatch(Regex regex, int low, int high) {
        if (regex instanceof Regex.Chars chars) {
            CodePointSet set = chars.set();
            for (int i = 0; i < set.ranges(); i++) {
                if (set.low(i) <= high && low <= set.high(i)) {
                    return true;
                }
            }
        }
        return parts(regex).stream().anyMatch(part -> canMatch(part, low, high));
    }

    private static List<Regex> parts(Regex regex) {
        if (regex instanceof Regex.Concat concat) {
            return concat.parts();
        }
        if (regex instanceof Regex.Alternate alternate) {
            return alternate.options();
        }
        return regex instanceof Regex.Repeat repeat ? List.of(repeat.body()) : List.of();
    }
}
