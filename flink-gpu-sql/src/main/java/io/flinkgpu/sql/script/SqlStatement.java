package io.flinkgpu.sql.script;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A statement of a script.
 *
 * @param line where it begins, from 1 on
 * @param text without the semicolon, and without comments before it
 */
@Internal
public record SqlStatement(int line, String text) {

    private static final String SET_BEGINS = "EXECUTE STATEMENT SET";
    private static final String SET_ENDS = "END";

    /** The statements of a script: what semicolons end that are in no text, name or comment. */
    public static List<SqlStatement> split(String script) {
        List<SqlStatement> statements = new ArrayList<>();
        int start = skipBlanks(script, 0);
        for (int at = start; at < script.length(); ) {
            if (script.charAt(at) != ';') {
                at = next(script, at);
                continue;
            }
            String text = script.substring(start, at).strip();
            at++;
            if (isOpenSet(text)) {
                continue;
            }
            add(statements, script, start, text);
            start = skipBlanks(script, at);
            at = start;
        }
        add(statements, script, start, script.substring(start).strip());
        return statements;
    }

    private static void add(List<SqlStatement> statements, String script, int start, String text) {
        if (!text.isEmpty()) {
            int line = 1 + (int) script.substring(0, start).chars().filter(c -> c == '\n').count();
            statements.add(new SqlStatement(line, text));
        }
    }

    /** Whether it is a set of statements whose end is still to come. */
    private static boolean isOpenSet(String text) {
        String words = text.toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
        return words.startsWith(SET_BEGINS) && !words.endsWith(" " + SET_ENDS);
    }

    private static int skipBlanks(String script, int from) {
        int at = from;
        while (at < script.length()) {
            boolean isComment = script.startsWith("--", at) || script.startsWith("/*", at);
            if (!isComment && !Character.isWhitespace(script.charAt(at))) {
                break;
            }
            at = next(script, at);
        }
        return at;
    }

    /** Where what follows the character, text, name or comment at an index is. */
    private static int next(String script, int at) {
        char c = script.charAt(at);
        if (c == '\'' || c == '`') {
            return after(script, String.valueOf(c), at + 1);
        }
        if (script.startsWith("--", at)) {
            return after(script, "\n", at);
        }
        return script.startsWith("/*", at) ? after(script, "*/", at + 2) : at + 1;
    }

    private static int after(String script, String end, int from) {
        int found = script.indexOf(end, from);
        return found < 0 ? script.length() : found + end.length();
    }
}
