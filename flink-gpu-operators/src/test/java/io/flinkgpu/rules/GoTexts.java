package io.flinkgpu.rules;

import io.flinkgpu.text.regex.Regex;
import io.flinkgpu.text.regex.RuleReader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Computes texts and lists of texts as the source of gitleaks' rules does: literals, sums, lists, maps by path, and calls of
 * functions that return one such expression. Made-up secrets are drawn anew.
 */
final class GoTexts {

    /** That an expression is of another kind. */
    static final class OtherException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private record Function(List<String> parameters, List<String> result) {}

    private static final Pattern DIGIT = Pattern.compile("[1-9]");

    private final Random random;
    private final Map<String, Function> functions = new HashMap<>();
    private List<String> samples = List.of();

    private List<String> tokens = List.of();
    private int at;
    private Map<String, List<String>> variables = Map.of();

    GoTexts(Random random) {
        this.random = random;
    }

    /** Notes the functions of a source that return one expression, and the ways to write a sample. */
    void define(List<String> source) {
        for (int i = 0; i + 2 < source.size(); i++) {
            if (!source.get(i).equals("func")) {
                continue;
            }
            String name = source.get(i + 1);
            int open = source.subList(i, source.size()).indexOf("{") + i;
            int close = source.subList(i, source.size()).indexOf(")") + i;
            if (open <= i || close <= i) {
                continue;
            }
            List<String> parameters = new ArrayList<>();
            for (int p = i + 3; p < close; p++) {
                String token = source.get(p);
                if (!token.equals("string") && !token.equals(",")) {
                    parameters.add(token);
                }
            }
            if (name.equals("GenerateSampleSecrets")) {
                samples = sampleTexts(source.subList(open, source.size()));
            } else if (source.get(open + 1).equals("return")) {
                List<String> rest = source.subList(open + 2, source.size());
                functions.put(name, new Function(parameters, List.copyOf(rest)));
            }
        }
    }

    /** The values of the first map of texts. */
    private static List<String> sampleTexts(List<String> body) {
        List<String> texts = new ArrayList<>();
        int from = body.indexOf("map");
        for (int i = from; !body.get(i).equals("}"); i++) {
            if (body.get(i).equals(":") && body.get(i + 1).startsWith("\"")) {
                texts.add(body.get(i + 1).substring(1));
            }
        }
        return texts;
    }

    /**
     * The texts of the expression that starts at a token.
     *
     * @throws OtherException if it is of another kind
     */
    List<String> evaluate(List<String> source, int from, Map<String, List<String>> known) {
        List<String> outer = tokens;
        int outerAt = at;
        Map<String, List<String>> outerVariables = variables;
        tokens = source;
        at = from;
        variables = known;
        try {
            return sum();
        } catch (IndexOutOfBoundsException e) {
            throw new OtherException();
        } finally {
            tokens = outer;
            at = outerAt;
            variables = outerVariables;
        }
    }

    private List<String> sum() {
        List<String> value = term();
        while (tokens.get(at).equals("+")) {
            at++;
            value = List.of(one(value) + one(term()));
        }
        return value;
    }

    private List<String> term() {
        String token = tokens.get(at++);
        if (token.startsWith("\"")) {
            return List.of(token.substring(1));
        }
        if (token.equals("(")) {
            List<String> value = sum();
            expect(")");
            return value;
        }
        if (token.equals("[")) {
            expect("]");
            expect("string");
            return listed("{", "}");
        }
        if (token.equals("map")) {
            at += 4;
            return listed("{", "}");
        }
        if (!Character.isLetter(token.charAt(0))) {
            throw new OtherException();
        }
        if (!tokens.get(at).equals("(")) {
            List<String> value = variables.get(token);
            if (value == null) {
                throw new OtherException();
            }
            return value;
        }
        return call(token.substring(token.lastIndexOf('.') + 1), listed("(", ")"));
    }

    /** What is between brackets; of pairs of a key and a value, the values. */
    private List<String> listed(String open, String close) {
        List<String> values = new ArrayList<>();
        expect(open);
        while (!tokens.get(at).equals(close)) {
            List<String> value = sum();
            if (tokens.get(at).equals(":")) {
                at++;
                value = sum();
            }
            values.addAll(value);
            if (tokens.get(at).equals("...")) {
                at++;
            }
            if (tokens.get(at).equals(",")) {
                at++;
            } else if (!tokens.get(at).equals(close)) {
                throw new OtherException();
            }
        }
        at++;
        return values;
    }

    private List<String> call(String name, List<String> arguments) {
        return switch (name) {
            case "append", "MustCompile" -> arguments;
            case "ToUpper" -> List.of(one(arguments).toUpperCase(Locale.ROOT));
            case "ToLower" -> List.of(one(arguments).toLowerCase(Locale.ROOT));
            case "NewSecret" -> List.of(secret(one(arguments)));
            case "newPlausibleSecret" -> List.of(plausible(one(arguments)));
            case "Sprintf" -> List.of(formatted(arguments));
            case "GenerateSampleSecrets" ->
                    samples.stream()
                            .map(
                                    sample ->
                                            sample.replace("{i}", arguments.get(0))
                                                    .replace(
                                                            "{I}",
                                                            arguments
                                                                    .get(0)
                                                                    .toUpperCase(Locale.ROOT))
                                                    .replace("{s}", arguments.get(1)))
                            .toList();
            default -> {
                Function function = functions.get(name);
                if (function == null || function.parameters().size() != arguments.size()) {
                    throw new OtherException();
                }
                Map<String, List<String>> given = new HashMap<>();
                for (int i = 0; i < arguments.size(); i++) {
                    given.put(function.parameters().get(i), List.of(arguments.get(i)));
                }
                yield evaluate(function.result(), 0, given);
            }
        };
    }

    private static String formatted(List<String> arguments) {
        StringBuilder text = new StringBuilder();
        int next = 1;
        String format = arguments.get(0);
        for (int i = 0; i < format.length(); i++) {
            if (format.charAt(i) == '%' && format.startsWith("%s", i)) {
                text.append(arguments.get(next++));
                i++;
            } else if (format.charAt(i) == '%' && !format.startsWith("%%", i)) {
                throw new OtherException();
            } else {
                text.append(format.charAt(i));
                i += format.startsWith("%%", i) ? 1 : 0;
            }
        }
        return text.toString();
    }

    private String plausible(String regex) {
        String secret = secret(regex);
        while (!DIGIT.matcher(secret).find()) {
            secret = secret(regex);
        }
        return secret;
    }

    private String secret(String regex) {
        StringBuilder text = new StringBuilder();
        draw(RuleReader.read(regex, problem -> problem), text);
        return text.toString();
    }

    private void draw(Regex regex, StringBuilder to) {
        if (regex instanceof Regex.Chars chars) {
            int[] ascii = IntStream.range(1, 0x7f).filter(chars.set()::contains).toArray();
            to.append((char) ascii[random.nextInt(ascii.length)]);
        } else if (regex instanceof Regex.Concat concat) {
            concat.parts().forEach(part -> draw(part, to));
        } else if (regex instanceof Regex.Alternate alternate) {
            draw(alternate.options().get(random.nextInt(alternate.options().size())), to);
        } else if (regex instanceof Regex.Group group) {
            draw(group.body(), to);
        } else if (regex instanceof Regex.Repeat repeat) {
            int most = repeat.max() == Regex.Repeat.UNBOUNDED ? repeat.min() + 1 : repeat.max();
            int times = repeat.min() + random.nextInt(most - repeat.min() + 1);
            for (int i = 0; i < times; i++) {
                draw(repeat.body(), to);
            }
        }
    }

    private static String one(List<String> value) {
        if (value.size() != 1) {
            throw new OtherException();
        }
        return value.get(0);
    }

    private void expect(String token) {
        if (!tokens.get(at++).equals(token)) {
            throw new OtherException();
        }
    }
}
