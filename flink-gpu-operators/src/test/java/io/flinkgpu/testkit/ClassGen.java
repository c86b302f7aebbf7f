package io.flinkgpu.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Makes character classes. Most come from a fixed list, as each new one takes long to compile. */
final class ClassGen {

    private static final List<String> FIXED =
            List.of(
                    "\\d",
                    "\\D",
                    "\\w",
                    "\\W",
                    "\\s",
                    "\\S",
                    "\\h",
                    "\\H",
                    "\\v",
                    "\\V",
                    "\\p{L}",
                    "\\P{L}",
                    "\\pN",
                    "\\p{Lu}",
                    "\\p{Alpha}",
                    "\\p{Punct}",
                    "\\p{IsGreek}",
                    "\\p{InGreek}",
                    "\\p{javaLowerCase}",
                    "\\p{IsAlphabetic}",
                    "\\p{XDigit}",
                    "\\p{Mn}",
                    "\\p{Cn}",
                    "\\P{ASCII}",
                    "\\p{Sc}",
                    "[ab]",
                    "[^ab]",
                    "[a-c]",
                    "[^a-c]",
                    "[a-zA-Z0-9._%+-]",
                    "[^\\s\"',;&]",
                    "[\\w.-]",
                    "[^\\w]",
                    "[^\\W_]",
                    "[\\D\\s]",
                    "[a-z&&[^b]]",
                    "[a-z&&[^m-p]&&[^k]]",
                    "[^a-z&&[^b]]",
                    "[a[b[c]]]",
                    "[^a[b]]",
                    "[a-d[^b-c]]",
                    "[\\p{L}&&\\p{IsLatin}]",
                    "[\\p{L}&&[^A-Za-z]]",
                    "[\\x00-\\x1f]",
                    "[\\x00-\\x7f]",
                    "[^\\x00-\\x7f]",
                    "[\\x{80}-\\x{7ff}]",
                    "[\\x{800}-\\x{FFFF}]",
                    "[\\x{10000}-\\x{10FFFF}]",
                    "[^\\n]",
                    "[^\\r\\n]",
                    "[\\r\\n]",
                    "[k]",
                    "[K]",
                    "[^k]",
                    "[J-L]",
                    "[^J-L]",
                    "[\\x{212a}s]",
                    "[\\u00e9\\u0301]",
                    "[^\\u00e9]",
                    "[😀-😂]",
                    "[^😀]",
                    "[a😀é]",
                    "[-a]",
                    "[a-]",
                    "[\\]\\[]",
                    "[\\^a]",
                    "[a^]",
                    "[.$|(){}*+?]",
                    "[\\Q]-^\\E]",
                    "[\\t\\0101\\cA]",
                    "[@-Z]",
                    "[\\[-`]",
                    "[a&&b]",
                    "[^a&&b]",
                    "[\\d&&[^5-9]]",
                    "[\\u2028\\u2029\\x85]");

    private final Random random;

    ClassGen(Random random) {
        this.random = random;
    }

    RegexNode.Atom next(int[] alphabet) {
        String text = FIXED.get(random.nextInt(FIXED.size()));
        if (random.nextInt(40) == 0) {
            text = nested(alphabet, 0);
        }
        // (?i), as the class may stand in such a group.
        Pattern pattern = Pattern.compile("(?i)" + text);
        int[] samples =
                IntStream.concat(
                                IntStream.concat(
                                        Arrays.stream(alphabet), IntStream.of('5', 'x', 0xe9)),
                                IntStream.generate(() -> Alphabet.random(random)).limit(10))
                        .filter(c -> pattern.matcher(Character.toString(c)).matches())
                        .toArray();
        return new RegexNode.Atom(text, samples);
    }

    private String nested(int[] alphabet, int depth) {
        StringBuilder out = new StringBuilder(random.nextInt(3) == 0 ? "[^" : "[");
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            out.append(item(alphabet, depth));
            if (i > 0 && random.nextInt(4) == 0) {
                out.append("&&").append(item(alphabet, depth));
            }
        }
        return out.append(']').toString();
    }

    private String item(int[] alphabet, int depth) {
        switch (random.nextInt(depth < 2 ? 5 : 3)) {
            case 0:
                int a = alphabet[random.nextInt(alphabet.length)];
                int b = Alphabet.random(random);
                String low = Alphabet.escaped(Math.min(a, b), random);
                return low + "-" + Alphabet.escaped(Math.max(a, b), random);
            case 1:
                String fixed = FIXED.get(random.nextInt(FIXED.size()));
                return fixed;
            case 2:
                return Alphabet.escaped(alphabet[random.nextInt(alphabet.length)], random);
            default:
                return nested(alphabet, depth + 1);
        }
    }
}
