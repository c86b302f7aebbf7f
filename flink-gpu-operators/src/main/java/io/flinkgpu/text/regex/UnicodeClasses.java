package io.flinkgpu.text.regex;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks {@code java.util.regex} which code points a character class holds, so that the answer is that
 * of the running JDK and its Unicode version. Answers are kept. Not thread-safe.
 */
final class UnicodeClasses {

    /** The most different classes to ask about; each takes some milliseconds. */
    static final int MAX_ASKED = 100;

    private static final int BMP_BELOW_SURROGATES = Character.MIN_SURROGATE;
    private static final int BMP_CHARS =
            Character.MIN_SUPPLEMENTARY_CODE_POINT
                    - (Character.MAX_SURROGATE + 1 - Character.MIN_SURROGATE);

    private final Map<String, CodePointSet> answers = new HashMap<>();
    private String everyCodePoint;

    /**
     * The code points that a class matches. Surrogates, which UTF-8 does not encode, may be among
     * them or not.
     *
     * @param classText a class, such as {@code [a-z&&[^m]]} or {@code \p{L}}
     * @return null if too many different classes were asked about
     * @throws java.util.regex.PatternSyntaxException if it is none
     */
    CodePointSet ask(String classText, boolean ignoreCase, boolean comments) {
        String key = (ignoreCase ? "i" : "-") + (comments ? "x" : "-") + classText;
        CodePointSet answer = answers.get(key);
        if (answer == null && answers.size() < MAX_ASKED) {
            int flags =
                    (ignoreCase ? Pattern.CASE_INSENSITIVE : 0) | (comments ? Pattern.COMMENTS : 0);
            answer = find(classText, flags);
            answers.put(key, answer);
        }
        return answer;
    }

    private CodePointSet find(String classText, int flags) {
        Pattern runs = Pattern.compile(classText + "++", flags);
        if (everyCodePoint == null) {
            everyCodePoint = everyCodePoint();
        }
        CodePointSet.Builder set = new CodePointSet.Builder();
        Matcher matcher = runs.matcher(everyCodePoint);
        while (matcher.find()) {
            int start = matcher.start();
            // The JDK also tries a match inside a surrogate pair.
            boolean insidePair = start > BMP_CHARS && (start - BMP_CHARS) % 2 == 1;
            set.add(codePointAt(insidePair ? start + 1 : start), codePointAt(matcher.end()) - 1);
        }
        return set.build();
    }

    private static String everyCodePoint() {
        StringBuilder all = new StringBuilder(BMP_CHARS + 2 * 0x100000);
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (c == Character.MIN_SURROGATE) {
                c = Character.MAX_SURROGATE + 1;
            }
            all.appendCodePoint(c);
        }
        return all.toString();
    }

    /** Which code point starts at an index of {@link #everyCodePoint()}, or would after it. */
    private static int codePointAt(int index) {
        if (index < BMP_BELOW_SURROGATES) {
            return index;
        }
        if (index < BMP_CHARS) {
            return index + (Character.MAX_SURROGATE + 1 - Character.MIN_SURROGATE);
        }
        return Character.MIN_SUPPLEMENTARY_CODE_POINT + (index - BMP_CHARS) / 2;
    }
}
