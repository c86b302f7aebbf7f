package io.flinkgpu.api;

import java.nio.charset.StandardCharsets;

/** Text for messages: shortened, and fit for one line of a log. */
final class Excerpt {

    private static final int MAX_BYTES_PER_CHAR = 3;

    private Excerpt() {}

    /**
     * The beginning of {@code bytes[from, to)}. Bytes that are not UTF-8 are U+FFFD, and characters that
     * a terminal does not print as one are {@code '?'}; {@code ...} follows if there is more.
     *
     * @param maxChars how many characters there are at most, {@code ...} not counted
     */
    static String of(byte[] bytes, int from, int to, int maxChars) {
        int length = (int) Math.min(to - from, MAX_BYTES_PER_CHAR * (maxChars + 1L));
        String text = new String(bytes, from, length, StandardCharsets.UTF_8);
        return of(text, maxChars, length == to - from);
    }

    /** The beginning of a text, likewise. */
    static String of(String text, int maxChars) {
        return of(text, maxChars, true);
    }

    private static String of(String text, int maxChars, boolean isAll) {
        boolean isWhole = isAll && text.length() <= maxChars;
        StringBuilder excerpt = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            if (i > maxChars) {
                break;
            }
            excerpt.appendCodePoint(isPrinted(codePoint) ? codePoint : '?');
        }
        return isWhole ? excerpt.toString() : excerpt.append("...").toString();
    }

    private static boolean isPrinted(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
