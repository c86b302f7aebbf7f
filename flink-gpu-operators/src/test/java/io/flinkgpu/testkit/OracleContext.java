package io.flinkgpu.testkit;

import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Context;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is around a match and in it, as docs/rules.md defines it, by {@code java.util.regex} and plain code. */
final class OracleContext {

    private static final Pattern LEAD = Pattern.compile("[\\w.-]{1,50}\\z");

    private OracleContext() {}

    /** Whether a context's word is where it has to be, for the match between two byte offsets. */
    static boolean holds(Context context, Utf8Row row, byte[] bytes, int start, int end) {
        if (context.words().isEmpty()) {
            return true;
        }
        if (context.before() == Context.RECORD) {
            return hasAny(context.words(), bytes);
        }
        int from = charAt(row, start);
        for (int i = 0; i < context.before() && from > 0; i++) {
            from = row.text().offsetByCodePoints(from, -1);
        }
        int to = charAt(row, end);
        for (int i = 0; i < context.after() && to < row.text().length(); i++) {
            to = row.text().offsetByCodePoints(to, 1);
        }
        return hasAny(context.words(), Arrays.copyOfRange(bytes, row.byteOffset(from), start))
                || hasAny(context.words(), Arrays.copyOfRange(bytes, end, row.byteOffset(to)));
    }

    private static int charAt(Utf8Row row, int byteOffset) {
        int at = 0;
        while (row.byteOffset(at) < byteOffset) {
            at = row.text().offsetByCodePoints(at, 1);
        }
        return at;
    }

    /** Whether stop words or patterns of an allow list keep a match. */
    static boolean keeps(
            AllowList list, byte[] secret, byte[] record, int matchStart, int matchEnd) {
        byte[] match = Arrays.copyOfRange(record, matchStart, matchEnd);
        if (secret.length <= 1024 && hasAny(list.stopWords(), secret)) {
            return true;
        }
        for (AllowList.Pattern pattern : list.patterns()) {
            byte[] target =
                    switch (pattern.target()) {
                        case SECRET -> secret;
                        case MATCH -> match;
                        case MATCH_AND_LEAD ->
                                Arrays.copyOfRange(
                                        record, startOfLead(record, matchStart), matchEnd);
                        case RECORD -> record;
                    };
            boolean whole = pattern.target() == AllowList.Target.RECORD;
            if ((whole || target.length <= 1024)
                    && OracleRedactor.compile(pattern.regex())
                            .matcher(new BudgetedText(new Utf8Row(target).text()))
                            .find()) {
                return true;
            }
        }
        return false;
    }

    private static int startOfLead(byte[] record, int matchStart) {
        String before = new String(record, 0, matchStart, StandardCharsets.ISO_8859_1);
        Matcher lead = LEAD.matcher(before);
        return lead.find() ? lead.start() : matchStart;
    }

    private static boolean hasAny(List<String> words, byte[] text) {
        String lower = asciiLower(text);
        return words.stream()
                .map(word -> asciiLower(word.getBytes(StandardCharsets.UTF_8)))
                .anyMatch(lower::contains);
    }

    private static String asciiLower(byte[] bytes) {
        StringBuilder lower = new StringBuilder();
        for (byte b : bytes) {
            char c = (char) (b & 0xff);
            lower.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
        }
        return lower.toString();
    }
}
