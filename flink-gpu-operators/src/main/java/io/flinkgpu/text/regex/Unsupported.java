package io.flinkgpu.text.regex;

/**
 * A construct of {@code java.util.regex} that this library refuses.
 *
 * @param name what it is called
 * @param end the position after it
 * @param remedy what to do
 */
record Unsupported(String name, int end, String remedy) {

    /** The unsupported escape whose backslash is at a position, or null if it is supported. */
    static Unsupported escape(PatternText text, int from) {
        int end = from + 2;
        return switch (text.at(from + 1)) {
            case 'b' ->
                    text.startsWith("{g}", end)
                            ? new Unsupported("grapheme boundary", end + 3, "use \\b")
                            : null;
            case 'G' -> new Unsupported("end of the previous match", end, "leave it out");
            case 'R' ->
                    new Unsupported(
                            "line break", end, "write (?:\\r\\n|[\\n-\\r\\x85\\x{2028}\\x{2029}])");
            case 'X' -> new Unsupported("grapheme cluster", end, "write . or a character class");
            case 'N' ->
                    new Unsupported(
                            "character name",
                            text.after('}', end),
                            "write the code point, as in \\x{1f600}");
            case 'k' -> backreference(text.after('>', end));
            case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
                while (text.at(end) >= '0' && text.at(end) <= '9') {
                    end++;
                }
                yield backreference(end);
            }
            default -> null;
        };
    }

    private static Unsupported backreference(int end) {
        return new Unsupported(
                "backreference", end, "write the text out; a rule can use a validator");
    }

    /** The unsupported kind of group whose parenthesis is at a position, or null. */
    static Unsupported group(PatternText text, int from) {
        return text.startsWith("(?>", from)
                ? new Unsupported("atomic group", from + 3, "write (?:...)")
                : null;
    }

    /** A flag that is not supported, which is at a position. */
    static Unsupported flag(PatternText text, int from) {
        String remedy =
                switch (text.at(from)) {
                    case 'u', 'U' -> "list the characters in a class, as in [\u00e9\u00c9]";
                    default -> "leave it out";
                };
        return new Unsupported("flag", from + 1, remedy);
    }
}
