package io.flinkgpu.rules;

import io.flinkgpu.api.Confidence;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the root of a YAML rule file: {@code include}, {@code groups}, {@code enable}, {@code disable}, {@code rules}. */
final class YamlRules {

    private static final List<String> KEYS =
            List.of(
                    "include",
                    "groups",
                    "enable",
                    "disable",
                    "unmatchable",
                    "confidence",
                    "forms",
                    "structure",
                    "rules");

    private final Problems problems;
    private final List<LocatedRule> rules = new ArrayList<>();
    private final YamlTexts texts;
    private List<String> leftOut = List.of();

    YamlRules(Problems problems) {
        this.problems = problems;
        texts = new YamlTexts(problems);
    }

    RuleSet read(String text) {
        YamlNode root = YamlNode.parse(text, problems);
        if (root == null || root instanceof YamlNode.Text empty && empty.isNull()) {
            throw problems.fail(
                    0, "has no rules; write a list under 'rules', or 'include: default'");
        }
        if (!(root instanceof YamlNode.Fields)) {
            throw problems.fail(
                    root.line(),
                    "a rule file is a map, found " + root.describe() + "; start with 'rules:'");
        }
        Map<String, YamlNode> fields = new YamlFields(problems).read(root, "", KEYS);
        if (fields.containsKey("rules")) {
            readRules(fields.get("rules"));
        }
        List<Rule> included = included(fields);
        if (!fields.containsKey("rules") && !fields.containsKey("include")) {
            problems.add(root.line(), "has no rules; add 'rules' or 'include: default'");
        }
        included.forEach(rule -> rules.add(new LocatedRule(0, rule.name(), rule)));
        if (rules.isEmpty()) {
            problems.throwIfAny();
            problems.add(root.line(), "every rule is disabled; leave one enabled");
        }
        Confidence least =
                fields.containsKey("confidence")
                        ? YamlFields.confidence(problems, "", fields.get("confidence"))
                        : Confidence.LOW;
        boolean unmatchable = allowsUnmatchable(fields.get("unmatchable"));
        texts.read(fields.get("forms"), fields.get("structure"));
        RuleSet set = RuleFiles.toRuleSet(rules, problems);
        leftOut =
                set.rules().stream()
                        .filter(rule -> rule.confidence().compareTo(least) < 0)
                        .map(Rule::name)
                        .toList();
        try {
            set = set.atLeast(least);
        } catch (IllegalArgumentException e) {
            throw problems.fail(fields.get("confidence").line(), e.getMessage());
        }
        // Rules that are left out need not fit forms and structure.
        RuleSet viewed = texts.on(set);
        return unmatchable ? viewed.allowUnmatchable() : viewed;
    }

    /** The names of rules that are below the confidence of the text that was read. */
    List<String> leftOut() {
        return leftOut;
    }

    private boolean allowsUnmatchable(YamlNode node) {
        if (node == null) {
            return false;
        }
        if (!(node instanceof YamlNode.Text text) || !text.value().equals("allow")) {
            problems.unexpected(node, "'unmatchable' is 'allow'", "write that, or leave it out");
        }
        return true;
    }

    private void readRules(YamlNode node) {
        if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
            String found = node instanceof YamlNode.Items ? "an empty list" : node.describe();
            problems.unexpected(
                    node, "'rules' is a list of rules", found, "write '- name: ...' lines");
            return;
        }
        int number = 0;
        for (YamlNode item : items.nodes()) {
            number++;
            YamlRule reader = new YamlRule(problems, number, item);
            Rule rule = reader.read();
            texts.addFields(reader.name(), reader.fields());
            if (reader.name() != null) {
                rules.add(new LocatedRule(item.line(), reader.name(), rule));
            }
        }
    }

    /** The built-in rules asked for, in their order. */
    private List<Rule> included(Map<String, YamlNode> fields) {
        if (!fields.containsKey("include")) {
            for (String key : List.of("groups", "enable", "disable")) {
                if (fields.containsKey(key)) {
                    problems.add(
                            fields.get(key).line(),
                            "'" + key + "' is about built-in rules; add 'include: default'");
                }
            }
            return List.of();
        }
        YamlNode include = fields.get("include");
        if (!(include instanceof YamlNode.Text name) || !name.value().equals("default")) {
            problems.unexpected(include, "'include' is 'default'", "write that");
            return List.of();
        }
        Map<String, Rule> all = new LinkedHashMap<>();
        DefaultRules.all().rules().forEach(rule -> all.put(rule.name(), rule));
        List<String> enabled = names(fields.get("enable"), "enable", all);
        List<String> disabled = names(fields.get("disable"), "disable", all);
        List<String> wanted = new ArrayList<>(all.keySet());
        if (fields.containsKey("groups")) {
            wanted = names(fields.get("groups"), "groups", Map.of());
        }
        List<Rule> included = new ArrayList<>();
        for (Rule rule : all.values()) {
            boolean on =
                    !DefaultRules.OPTIONAL.contains(rule.name()) && wanted.contains(rule.name());
            if ((on || enabled.contains(rule.name())) && !disabled.contains(rule.name())) {
                included.add(rule);
            }
        }
        return included;
    }

    /** The rules that a list names, or that are in the groups that it names. */
    private List<String> names(YamlNode node, String key, Map<String, Rule> known) {
        Map<String, List<String>> rulesOf = new LinkedHashMap<>();
        known.keySet().forEach(name -> rulesOf.put(name, List.of(name)));
        for (RuleGroup group : RuleGroup.values()) {
            rulesOf.put(group.key(), group.rules());
        }
        List<String> names = new ArrayList<>();
        if (node == null) {
            return names;
        }
        if (!(node instanceof YamlNode.Items items)) {
            problems.unexpected(node, "'" + key + "' is a list of names", "write [a, b]");
            return names;
        }
        for (YamlNode item : items.nodes()) {
            if (item instanceof YamlNode.Text name && rulesOf.containsKey(name.value())) {
                names.addAll(rulesOf.get(name.value()));
            } else {
                String word = item instanceof YamlNode.Text name ? name.value() : "";
                problems.add(
                        item.line(),
                        "'"
                                + key
                                + (known.isEmpty()
                                        ? "' names a group of built-in rules, found "
                                        : "' names a built-in rule, found ")
                                + item.describe()
                                + Problems.suggest(word, rulesOf.keySet()));
            }
        }
        return names;
    }
}
