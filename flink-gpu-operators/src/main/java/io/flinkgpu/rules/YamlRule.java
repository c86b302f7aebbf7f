package io.flinkgpu.rules;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Confidence;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.Validator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Reads one rule of a YAML rule file. */
final class YamlRule {

    private static final List<String> ACTIONS = List.of("label", "mask", "hash", "counter", "drop");
    private static final List<String> KEYS =
            List.of(
                    "name",
                    "regex",
                    "label",
                    "mask",
                    "hash",
                    "counter",
                    "drop",
                    "validate",
                    "allow",
                    "group",
                    "context",
                    "confidence",
                    "fields");
    private static final Map<String, Validator> VALIDATORS =
            Map.of(
                    "luhn", Validator.LUHN,
                    "iban", Validator.IBAN,
                    "ipv6", Validator.IPV6,
                    "us_ssn", Validator.US_SSN);
    private static final List<String> VALIDATOR_FORMS =
            List.of("luhn", "iban", "ipv6", "us_ssn", "{entropy: 3.5}");

    private static final List<String> ALLOW_KEYS =
            List.of("values", "prefixes", "words", "regexes", "matchRegexes", "recordRegexes");

    private final Problems problems;
    private final YamlFields reader;
    private final YamlNode node;
    private final String name;
    private final String where;

    /** Null if the rule is bound to none. */
    private YamlNode fieldsNode;

    /**
     * @param number of the rule in its file, counted from 1
     */
    YamlRule(Problems problems, int number, YamlNode node) {
        this.problems = problems;
        this.node = node;
        reader = new YamlFields(problems);
        name = findName(node);
        where = "rule " + (name == null ? "" : Problems.show(name) + " ") + "(#" + number + "): ";
    }

    /** Its name as it stands there, null if there is none. */
    String name() {
        return name;
    }

    /** The paths of the fields that the rule is bound to; null if it is to none. */
    YamlNode fields() {
        return fieldsNode;
    }

    /** The rule, or null after errors. */
    Rule read() {
        Map<String, YamlNode> fields = reader.read(node, where, KEYS);
        if (!(node instanceof YamlNode.Fields)) {
            return null;
        }
        fieldsNode = fields.get("fields");
        boolean named = checkName(fields.get("name"));
        String regex = regex(fields.get("regex"));
        Action action = action(fields);
        Validator validator =
                fields.containsKey("validate") ? validator(fields.get("validate")) : Validator.NONE;
        AllowList allowList =
                fields.containsKey("allow") ? allowList(fields.get("allow")) : AllowList.EMPTY;
        String group =
                fields.containsKey("group")
                        ? reader.text(fields.get("group"), where + "'group': ")
                        : "";
        Context context =
                fields.containsKey("context") ? context(fields.get("context")) : Context.NONE;
        Confidence confidence = YamlFields.confidence(problems, where, fields.get("confidence"));
        boolean complete =
                named
                        && regex != null
                        && action != null
                        && validator != null
                        && allowList != null
                        && group != null
                        && context != null
                        && confidence != null;
        return complete
                ? new Rule(name, regex, action, validator, allowList, group, context, confidence)
                : null;
    }

    private static String findName(YamlNode node) {
        if (node instanceof YamlNode.Fields map) {
            for (YamlNode.Field field : map.fields()) {
                if (field.key().value().equals("name")
                        && field.value() instanceof YamlNode.Text name
                        && !name.isNull()) {
                    return name.value();
                }
            }
        }
        return null;
    }

    private boolean checkName(YamlNode given) {
        if (given == null) {
            problems.add(node.line(), where + "'name' is missing; add one");
            return false;
        }
        if (reader.anyText(given, where + "'name': ") == null) {
            return false;
        }
        String problem = LocatedRule.nameProblem(name);
        if (problem != null) {
            problems.add(given.line(), where + problem);
        }
        return problem == null;
    }

    private String regex(YamlNode given) {
        if (given == null) {
            problems.add(node.line(), where + "'regex' is missing; add one, in '...'");
            return null;
        }
        if (given instanceof YamlNode.Items) {
            List<String> alternatives = reader.texts(given, where + "'regex': ");
            return alternatives.stream().map(a -> "(?:" + a + ")").collect(Collectors.joining("|"));
        }
        return reader.text(given, where + "'regex': ");
    }

    private Action action(Map<String, YamlNode> fields) {
        List<String> kinds = new ArrayList<>(ACTIONS);
        kinds.retainAll(fields.keySet());
        if (kinds.size() != 1) {
            problems.unexpected(
                    node,
                    where + "exactly one of label, mask, hash, counter and drop is needed",
                    kinds.isEmpty() ? "none" : String.join(", ", kinds),
                    kinds.isEmpty() ? "add one" : "keep one");
            return null;
        }
        String kind = kinds.get(0);
        YamlNode given = fields.get(kind);
        return switch (kind) {
            case "label" -> label(given);
            case "mask" -> mask(given);
            case "hash" -> hash(given);
            case "counter" -> counter(given);
            default -> drop(given);
        };
    }

    private Action label(YamlNode given) {
        String text = reader.anyText(given, where + "'label': ");
        if (text != null && text.isEmpty()) {
            problems.add(
                    given.line(), where + "'label' is empty; write one, or 'drop: true' instead");
            return null;
        }
        return text == null
                ? null
                : orProblem(given, where + "'label': ", () -> Action.label(text));
    }

    private Action mask(YamlNode given) {
        String here = where + "'mask': ";
        if (given instanceof YamlNode.Text text && text.value().equals("format")) {
            return Action.maskFormat();
        }
        Map<String, YamlNode> fields =
                reader.read(given, here, List.of("keepFirst", "keepLast", "char"));
        int keepFirst = numberIn(fields, "keepFirst", here, 0);
        int keepLast = numberIn(fields, "keepLast", here, 0);
        String maskChar = textIn(fields, "char", here, "*");
        if (maskChar.length() != 1) {
            String found = Problems.show(maskChar);
            problems.unexpected(given, here + "'char' is one ASCII character", found, "write one");
            return null;
        }
        return orProblem(
                given, here, () -> new Action.Mask(keepFirst, keepLast, maskChar.charAt(0)));
    }

    private Action hash(YamlNode given) {
        String here = where + "'hash': ";
        Map<String, YamlNode> fields =
                reader.read(given, here, List.of("prefix", "hexDigits", "suffix"));
        String prefix = textIn(fields, "prefix", here, "");
        int hexDigits = numberIn(fields, "hexDigits", here, 32);
        String suffix = textIn(fields, "suffix", here, "");
        return orProblem(given, here, () -> new Action.Hash(prefix, hexDigits, suffix));
    }

    private Action counter(YamlNode given) {
        String here = where + "'counter': ";
        Map<String, YamlNode> fields = reader.read(given, here, List.of("prefix", "suffix"));
        String ofName = name == null ? "" : "[" + PackBuilder.labelText(name) + "_";
        String prefix = textIn(fields, "prefix", here, ofName);
        String suffix = textIn(fields, "suffix", here, "]");
        return orProblem(given, here, () -> Action.counter(prefix, suffix));
    }

    private Action drop(YamlNode given) {
        if (given instanceof YamlNode.Text text && text.plain() && text.value().equals("true")) {
            return Action.drop();
        }
        problems.unexpected(given, where + "'drop' is true", "write 'drop: true'");
        return null;
    }

    private Validator validator(YamlNode given) {
        String here = where + "'validate': ";
        if (given instanceof YamlNode.Text text) {
            Validator validator = VALIDATORS.get(text.value());
            if (validator == null) {
                problems.add(
                        given.line(),
                        here
                                + "unknown validator "
                                + given.describe()
                                + Problems.suggest(text.value(), VALIDATOR_FORMS));
            }
            return validator;
        }
        YamlNode entropy = reader.read(given, here, List.of("entropy")).get("entropy");
        if (entropy == null) {
            problems.add(given.line(), here + "'entropy' is missing; write {entropy: 3.5}");
            return null;
        }
        if (entropy instanceof YamlNode.Text text
                && text.plain()
                && text.value().matches("[0-9]{1,3}(\\.[0-9]{1,6})?")) {
            double bits = Double.parseDouble(text.value());
            return orProblem(entropy, here, () -> Validator.entropy(bits));
        }
        problems.unexpected(
                entropy, here + "'entropy' is a number of bits per byte", "write {entropy: 3.5}");
        return null;
    }

    private AllowList allowList(YamlNode given) {
        String here = where + "'allow': ";
        Map<String, YamlNode> fields = reader.read(given, here, ALLOW_KEYS);
        List<String> values = textsIn(fields, "values", here);
        List<String> prefixes = textsIn(fields, "prefixes", here);
        List<String> words = textsIn(fields, "words", here);
        List<AllowList.Pattern> patterns = new ArrayList<>();
        textsIn(fields, "regexes", here)
                .forEach(regex -> patterns.add(pattern(regex, AllowList.Target.SECRET)));
        textsIn(fields, "matchRegexes", here)
                .forEach(regex -> patterns.add(pattern(regex, AllowList.Target.MATCH)));
        textsIn(fields, "recordRegexes", here)
                .forEach(regex -> patterns.add(pattern(regex, AllowList.Target.RECORD)));
        return orProblem(given, here, () -> new AllowList(values, prefixes, words, patterns));
    }

    private static AllowList.Pattern pattern(String regex, AllowList.Target target) {
        return new AllowList.Pattern(regex, target);
    }

    private Context context(YamlNode given) {
        String here = where + "'context': ";
        Map<String, YamlNode> fields =
                reader.read(given, here, List.of("words", "before", "after"));
        if (!fields.containsKey("words")) {
            problems.add(given.line(), here + "'words' is missing; write ['...', '...']");
            return null;
        }
        List<String> words = textsIn(fields, "words", here);
        boolean near = fields.containsKey("before") || fields.containsKey("after");
        int before = numberIn(fields, "before", here, near ? 0 : Context.RECORD);
        int after = numberIn(fields, "after", here, near ? 0 : Context.RECORD);
        return words.isEmpty()
                ? null
                : orProblem(given, here, () -> new Context(words, before, after));
    }

    private List<String> textsIn(Map<String, YamlNode> fields, String key, String here) {
        YamlNode given = fields.get(key);
        return given == null ? List.of() : reader.texts(given, here + "'" + key + "': ");
    }

    private int numberIn(Map<String, YamlNode> fields, String key, String here, int otherwise) {
        YamlNode given = fields.get(key);
        return given == null
                ? otherwise
                : reader.number(given, here + "'" + key + "': ", otherwise);
    }

    private String textIn(Map<String, YamlNode> fields, String key, String here, String otherwise) {
        YamlNode given = fields.get(key);
        String text = given == null ? otherwise : reader.anyText(given, here + "'" + key + "': ");
        return text == null ? otherwise : text;
    }

    private <T> T orProblem(YamlNode given, String here, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            problems.add(given.line(), here + e.getMessage() + "; correct it");
            return null;
        }
    }
}
