package io.flinkgpu.text;

import java.util.Random;

/** Makes random regexes of the supported syntax and rows that have a chance to match them. */
public final class RandomRegex {

    private static final String[] CHARS = {
        "a",
        "b",
        "A",
        "B",
        "1",
        "_",
        " ",
        "-",
        "\\n",
        "\\r",
        "\n",
        "k",
        "\\.",
        "\u00e9",
        "\\u00E9",
        "\u0085",
        "\\u2028",
        "\ud83d\ude00",
        "\\x{1F600}",
        "\\Qa.\\E",
        "\\t",
        "\\x61",
        "\\0141"
    };
    private static final String[] CLASSES = {
        ".",
        "\\d",
        "\\w",
        "\\s",
        "\\D",
        "\\W",
        "\\S",
        "[ab]",
        "[^a]",
        "[a-k1]",
        "[^\\w\\s]",
        "[\u00e0-\u00ff]",
        "[^\u00e9\\n]",
        "[a-z&&[^b]]",
        "[\\d_-]",
        "[^\ud83d\ude00]",
        "\\p{L}",
        "\\p{Lu}",
        "\\h",
        "\\v",
        "[]a]",
        "[a[1\u00e9]]",
        "\\P{IsAlphabetic}",
        "[^\\W_]",
        "[\\x00-\\x{10FFFF}]",
        "[.$^]"
    };
    private static final String[] QUANTIFIERS = {
        "?", "*", "+", "{2}", "{1,3}", "{0,2}", "{2,}", "??", "*?", "+?", "{1,2}?", "{0,3}?",
        "{1,}?"
    };
    private static final String[] ROW_CHARS = {
        "a",
        "a",
        "b",
        "A",
        "B",
        "1",
        "1",
        "_",
        " ",
        "-",
        "\n",
        "\r",
        "\r\n",
        "k",
        ".",
        "\u00e9",
        "\u00c9",
        "\u0085",
        "\u2028",
        "\u2029",
        "\ud83d\ude00",
        "\t",
        "\u212a",
        "]",
        "$"
    };

    private final Random random;

    public RandomRegex(Random random) {
        this.random = random;
    }

    public String regex() {
        String flag =
                random.nextInt(8) == 0
                        ? pick("(?i)", "(?s)", "(?is)", "(?d)", "(?m)", "(?dm)", "(?x)")
                        : "";
        String begin = random.nextInt(12) == 0 ? pick("^", "\\A", "\\b") : "";
        String end =
                random.nextInt(5) == 0
                        ? pick("$", "\\Z", "\\z", "\\b", "\\B", "(?=[ b]|$)", "(?!\\w)")
                        : "";
        return flag + begin + alternation(3) + end;
    }

    String row() {
        StringBuilder row = new StringBuilder();
        int length = random.nextInt(14);
        for (int i = 0; i < length; i++) {
            row.append(pick(ROW_CHARS));
        }
        return row.toString();
    }

    private String alternation(int depth) {
        StringBuilder regex = new StringBuilder(sequence(depth));
        while (random.nextInt(4) == 0) {
            regex.append('|').append(sequence(depth));
        }
        return regex.toString();
    }

    private String sequence(int depth) {
        StringBuilder regex = new StringBuilder();
        int parts = random.nextInt(16) == 0 ? 0 : 1 + random.nextInt(4);
        for (int i = 0; i < parts; i++) {
            regex.append(atom(depth));
            if (random.nextInt(3) == 0) {
                regex.append(pick(QUANTIFIERS));
            }
        }
        return regex.toString();
    }

    private String atom(int depth) {
        int choice = random.nextInt(20);
        if (choice < 9 || depth == 0 && choice < 14) {
            return pick(CHARS);
        }
        if (choice < 14) {
            String open = pick("(?:", "(", "(?:", "(?i:", "(?s:", "(?-i:", "(?x:", "(?dm:");
            return open + alternation(depth - 1) + ")";
        }
        if (choice < 18) {
            return pick(CLASSES);
        }
        return pick(
                "\\b",
                "\\B",
                "\\b",
                "(?i)",
                "$",
                "^",
                "(?=[a-k])",
                "(?![b1])",
                "(?=\\S|\\z)",
                "(?<=[ _a])",
                "(?<!\\w)",
                "(?<!^|\\W)",
                "(?x) #]\n",
                "(?<=\\d|\\A)");
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
