package io.flinkgpu.sql.planner;

import io.flinkgpu.text.regex.Regex;

/** What can be told of a regular expression from its parts alone. */
final class RegexText {

    private RegexText() {}

    /** Whether it asks what is a letter, which Java answers otherwise before JDK 19. */
    static boolean looksAtWords(Regex regex) {
        return regex instanceof Regex.Look look
                        && (look.kind() == Regex.Look.Kind.WORD_BOUNDARY
                                || look.kind() == Regex.Look.Kind.NOT_WORD_BOUNDARY)
                || Alphabet.parts(regex).stream().anyMatch(RegexText::looksAtWords);
    }

    /** Whether a match can have a code point. */
    static boolean canRead(Regex regex, int codePoint) {
        return regex instanceof Regex.Chars chars && chars.set().contains(codePoint)
                || Alphabet.parts(regex).stream().anyMatch(part -> canRead(part, codePoint));
    }
}
