package io.flinkgpu.testkit;

/**
 * Gives {@code \b} and {@code \B} the same meaning on every JDK: an edge of {@code [0-9A-Za-z_]}. Up
 * to JDK 18 they count Unicode letters (JDK-8282129), and on all JDKs a combining mark behind a letter.
 */
final class AsciiBounds {

    // The flags are off because (?iu) would add U+017F and U+212A to the class.
    private static final String WORD = "(?-iu:[0-9A-Za-z_])";
    private static final String BEHIND = "(?<=" + WORD + ")";
    private static final String NOT_BEHIND = "(?<!" + WORD + ")";
    private static final String AHEAD = "(?=" + WORD + ")";
    private static final String NOT_AHEAD = "(?!" + WORD + ")";

    static final String EDGE = "(?:" + BEHIND + NOT_AHEAD + "|" + NOT_BEHIND + AHEAD + ")";
    static final String NO_EDGE = "(?:" + BEHIND + AHEAD + "|" + NOT_BEHIND + NOT_AHEAD + ")";

    private AsciiBounds() {}

    /**
     * Rewrites a regex.
     *
     * @param regex one that {@code Pattern.compile} takes; so there is no {@code \b} in its classes,
     *     and every backslash outside a quotation has a character behind it
     * @throws IllegalArgumentException for {@code \b{g}}, which has no ASCII form
     */
    static String rewrite(String regex) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < regex.length()) {
            char c = regex.charAt(at);
            if (c != '\\') {
                out.append(c);
                at++;
                continue;
            }
            char escaped = regex.charAt(at + 1);
            int end = at + 2;
            if (escaped == 'b' && regex.startsWith("{g}", end)) {
                throw new IllegalArgumentException("\\b{g} has no ASCII form: regex=" + regex);
            } else if (escaped == 'b') {
                out.append(EDGE);
            } else if (escaped == 'B') {
                out.append(NO_EDGE);
            } else {
                end = endOfEscape(regex, at);
                out.append(regex, at, end);
            }
            at = end;
        }
        return out.toString();
    }

    /** A quotation reaches to {@code \E} or the end, and {@code \c} takes any one character. */
    private static int endOfEscape(String regex, int at) {
        char escaped = regex.charAt(at + 1);
        if (escaped == 'Q') {
            int close = regex.indexOf("\\E", at + 2);
            return close < 0 ? regex.length() : close + 2;
        }
        return escaped == 'c' ? at + 3 : at + 2;
    }
}
