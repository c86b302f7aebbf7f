package io.flinkgpu.testkit;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** What operations do to texts, by methods of {@code String}; texts are {@link SurrogateText}. */
final class Strings {

    private Strings() {}

    static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    static String right(String text, int count) {
        return between(text, Math.max(0, codePoints(text) - count), Integer.MAX_VALUE);
    }

    static String between(String text, long from, int count) {
        int[] kept = text.codePoints().skip(from).limit(count).toArray();
        return new String(kept, 0, kept.length);
    }

    static String before(String text, String separator) {
        int at = text.indexOf(separator);
        return at < 0 ? text : text.substring(0, at);
    }

    static String after(String text, String separator) {
        int at = text.indexOf(separator);
        return at < 0 ? text : text.substring(at + separator.length());
    }

    static String part(String text, String separator, int number) {
        String[] parts = text.split(Pattern.quote(separator), -1);
        return number <= parts.length ? parts[number - 1] : null;
    }

    static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (from < to && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }

    static String mapped(String text, UnaryOperator<Integer> mapping) {
        int[] mapped = text.codePoints().map(mapping::apply).toArray();
        return new String(mapped, 0, mapped.length);
    }

    /** A char a byte: a text may contain a part of another's code point. */
    static String bytes(Object text) {
        return new String(SurrogateText.encode((String) text), StandardCharsets.ISO_8859_1);
    }
}
