package io.flinkgpu.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Source text in Go as tokens: texts begin with a quote and are unescaped, comments are left out. */
final class GoTokens {

    private static final Pattern TOKEN =
            Pattern.compile(
                    "//[^\n]*|/\\*(?s:.*?)\\*/|`([^`]*)`|\"((?:[^\"\\\\\n]|\\\\.)*)\"|'(?:[^'\\\\]|\\\\.)*'"
                            + "|\\.\\.\\.|[A-Za-z_][\\w.]*|[0-9][\\w.]*|:=|\\S");

    private GoTokens() {}

    static List<String> of(String source) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(source);
        while (matcher.find()) {
            String token = matcher.group();
            if (matcher.group(1) != null) {
                tokens.add('"' + matcher.group(1).replace("\r", ""));
            } else if (matcher.group(2) != null) {
                tokens.add('"' + unescaped(matcher.group(2)));
            } else if (!token.startsWith("//") && !token.startsWith("/*")) {
                tokens.add(token);
            }
        }
        return tokens;
    }

    private static String unescaped(String text) {
        Matcher escape = Pattern.compile("\\\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)").matcher(text);
        return escape.replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
    }

    private static String character(String escape) {
        return switch (escape.charAt(0)) {
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case 'x', 'u' -> Character.toString(Integer.parseInt(escape.substring(1), 16));
            default -> escape;
        };
    }
}
