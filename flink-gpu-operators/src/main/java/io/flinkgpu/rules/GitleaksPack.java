package io.flinkgpu.rules;

import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.Validator;
import io.flinkgpu.text.AllowPatterns;

import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads gitleaks' configuration: {@code [[rules]]} with id, regex, secretGroup, entropy, keywords and allow lists. */
final class GitleaksPack {

    private static final Set<String> ROOT_KEYS =
            Set.of(
                    "title",
                    "description",
                    "minVersion",
                    "extend",
                    "rules",
                    "allowlist",
                    "allowlists");
    private static final Set<String> KEYS =
            Set.of(
                    "id",
                    "description",
                    "regex",
                    "secretGroup",
                    "entropy",
                    "keywords",
                    "path",
                    "tags",
                    "allowlist",
                    "allowlists",
                    "skipReport",
                    "required");

    private static final Set<String> ALLOW_KEYS =
            Set.of(
                    "description",
                    "condition",
                    "commits",
                    "paths",
                    "regexTarget",
                    "regexes",
                    "stopwords",
                    "targetRules");

    /**
     * What generic rules start with: it says what may be in front of a key word, costs a walk from every position, and
     * has no part in what the rule's group matches, so it is left out.
     */
    private static final Pattern LEAD =
            Pattern.compile(
                    "^(\\(\\?i\\))?\\[\\\\w\\.-\\]\\{0,50\\}\\?(?:(\\(\\?i:)\\[\\\\w\\.-\\]\\{0,50\\}\\?)?");

    private final Problems problems;
    private final PackBuilder pack;

    GitleaksPack(Problems problems, PackBuilder pack) {
        this.problems = problems;
        this.pack = pack;
    }

    void read(String text) {
        TomlParseResult root = Toml.parse(text);
        root.errors()
                .forEach(
                        error ->
                                problems.add(
                                        error.position().line(),
                                        "not valid TOML: "
                                                + error.getMessage().replaceAll("\\s+", " ")
                                                + "; correct the syntax"));
        problems.throwIfAny();
        checkKeys(root, "", ROOT_KEYS);
        if (root.contains("extend")) {
            note(root, "extend", "'extend' is not followed: read the other pack as well");
        }
        AllowList ofAll = allowLists(root, "", AllowList.EMPTY);
        if (!(root.get("rules") instanceof TomlArray rules)) {
            throw problems.fail(0, "has no [[rules]]; it is no gitleaks configuration");
        }
        for (int i = 0; i < rules.size(); i++) {
            int line = rules.inputPositionOf(i).line();
            if (rules.get(i) instanceof TomlTable rule) {
                readRule(rule, line, i + 1, ofAll);
            } else {
                problems.add(line, "rule (#" + (i + 1) + "): a table is needed; write [[rules]]");
            }
        }
    }

    private void readRule(TomlTable rule, int line, int number, AllowList ofAll) {
        Object id = rule.get("id");
        String where =
                "rule "
                        + (id instanceof String s ? Problems.show(s) + " " : "")
                        + "(#"
                        + number
                        + "): ";
        checkKeys(rule, where, KEYS);
        if (!(id instanceof String name) || name.isEmpty()) {
            problems.add(line, where + "'id' is a text that is not empty; write one");
            return;
        }
        String wrong = LocatedRule.nameProblem(name);
        if (wrong != null) {
            problems.add(line, where + wrong);
            return;
        }
        Object regex = rule.get("regex");
        if (regex == null && rule.contains("path")) {
            pack.note(line, where + "it is about paths alone, and left out");
            return;
        }
        if (!(regex instanceof String text) || text.isEmpty()) {
            problems.add(line, where + "'regex' is a text that is not empty; write one");
            return;
        }
        Dialect.Translated translated = Dialect.RE2.translate(text);
        AllowList allowed = allowLists(rule, where, ofAll);
        if (translated.groups() > 0 && LEAD.matcher(text).find()) {
            translated = Dialect.RE2.translate(LEAD.matcher(text).replaceFirst("$1$2"));
            allowed = withLead(allowed);
        }
        String group = group(rule, where, translated.groups());
        Validator validator = entropy(rule, where);
        noteWhatHasNoEffect(rule, line, where);
        pack.add(
                line,
                pack.rule(name, name, translated.regex())
                        .withValidator(validator)
                        .withGroup(group)
                        .withContext(keywords(rule, where))
                        .withAllowList(allowed));
    }

    /** The list for a rule whose lead is left out: it looks at that all the same. */
    private static AllowList withLead(AllowList list) {
        return new AllowList(
                list.values(),
                list.prefixes(),
                list.stopWords(),
                list.patterns().stream()
                        .map(
                                pattern ->
                                        pattern.target() == AllowList.Target.MATCH
                                                ? new AllowList.Pattern(
                                                        pattern.regex(),
                                                        AllowList.Target.MATCH_AND_LEAD)
                                                : pattern)
                        .toList());
    }

    /** The secret is the group that is named, or the first that takes part and is not empty. */
    private String group(TomlTable rule, String where, int groups) {
        String first = groups < 2 ? groups == 0 ? "" : "1" : "*";
        if (!rule.contains("secretGroup")) {
            return first;
        }
        if (rule.get("secretGroup") instanceof Long group && group >= 0 && group <= groups) {
            return group == 0 ? first : Long.toString(group);
        }
        problems.add(
                lineOf(rule, "secretGroup"),
                where
                        + "'secretGroup' is the number of a group, of which there are "
                        + groups
                        + "; correct it");
        return "";
    }

    private Validator entropy(TomlTable rule, String where) {
        Object given = rule.get("entropy");
        double bits = given instanceof Number number ? number.doubleValue() : -1;
        if (given == null || bits == 0) {
            return Validator.NONE;
        }
        if (bits < 0.001 || bits > 8) {
            problems.add(
                    lineOf(rule, "entropy"),
                    where + "'entropy' is a number of bits, 0.001 to 8; correct it");
            return Validator.NONE;
        }
        return Validator.entropy(bits);
    }

    /** Words of which one has to be in the record. */
    private Context keywords(TomlTable rule, String where) {
        List<String> words = texts(rule, "keywords", where);
        return words.isEmpty() ? Context.NONE : Context.inRecord(words.toArray(String[]::new));
    }

    private AllowList allowLists(TomlTable table, String where, AllowList ofAll) {
        AllowList list = ofAll;
        for (String key : List.of("allowlist", "allowlists")) {
            Object given = table.get(key);
            if (given instanceof TomlTable one) {
                list = add(list, one, lineOf(table, key), where);
            } else if (given instanceof TomlArray many) {
                for (int i = 0; i < many.size(); i++) {
                    if (many.get(i) instanceof TomlTable one) {
                        list = add(list, one, many.inputPositionOf(i).line(), where);
                    } else {
                        problems.add(
                                lineOf(table, key),
                                where + "'" + key + "' is a list of tables; write [[" + key + "]]");
                    }
                }
            } else if (given != null) {
                problems.add(lineOf(table, key), where + "'" + key + "' is a table; write one");
            }
        }
        return list;
    }

    /** Whether one part of an allow list is enough to keep a match. */
    private static boolean isAny(Object condition) {
        return condition == null
                || condition instanceof String text
                        && Set.of("", "OR", "||").contains(text.toUpperCase(Locale.ROOT));
    }

    private AllowList add(AllowList list, TomlTable table, int line, String where) {
        checkKeys(table, where + "allow list: ", ALLOW_KEYS);
        for (String key : List.of("paths", "commits", "targetRules")) {
            if (table.contains(key)) {
                pack.note(line, where + "allow list: '" + key + "' has no effect");
            }
        }
        if (!isAny(table.get("condition")) || table.contains("targetRules")) {
            pack.note(line, where + "allow list: it is left out, and what it keeps is replaced");
            return list;
        }
        List<String> words = new ArrayList<>(list.stopWords());
        words.addAll(texts(table, "stopwords", where));
        AllowList all =
                new AllowList(
                        list.values(),
                        list.prefixes(),
                        words.stream().distinct().toList(),
                        list.patterns());
        AllowList.Target target = target(table, where);
        for (String regex : texts(table, "regexes", where)) {
            String translated = Dialect.RE2.translate(regex).regex();
            try {
                AllowPatterns.check(translated);
                all = all.withPattern(translated, target);
            } catch (RuleException e) {
                pack.note(
                        line,
                        where
                                + "allow list: a regex is left out, and what it keeps is replaced: "
                                + e.errors().get(0));
            }
        }
        return all;
    }

    private AllowList.Target target(TomlTable table, String where) {
        Object given = table.get("regexTarget");
        if (given == null || given.equals("secret")) {
            return AllowList.Target.SECRET;
        }
        if (given.equals("match") || given.equals("line")) {
            return given.equals("match") ? AllowList.Target.MATCH : AllowList.Target.RECORD;
        }
        problems.add(
                lineOf(table, "regexTarget"),
                where + "'regexTarget' is secret, match or line; correct it");
        return AllowList.Target.SECRET;
    }

    private List<String> texts(TomlTable table, String key, String where) {
        List<String> texts = new ArrayList<>();
        if (!table.contains(key)) {
            return texts;
        }
        if (table.get(key) instanceof TomlArray array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i) instanceof String text && !text.isEmpty()) {
                    texts.add(text);
                } else {
                    problems.add(
                            lineOf(table, key),
                            where
                                    + "'"
                                    + key
                                    + "' is a list of texts that are not empty; correct it");
                }
            }
        } else {
            problems.add(lineOf(table, key), where + "'" + key + "' is a list of texts; write one");
        }
        return texts;
    }

    private void noteWhatHasNoEffect(TomlTable rule, int line, String where) {
        if (rule.contains("path")) {
            pack.note(line, where + "'path' has no effect: the rule is for all records");
        }
        if (rule.contains("required")) {
            pack.note(line, where + "'required' has no effect: it is replaced without those rules");
        }
    }

    private void checkKeys(TomlTable table, String where, Set<String> known) {
        for (String key : table.keySet()) {
            if (!known.contains(key)) {
                problems.add(
                        lineOf(table, key),
                        where
                                + "unknown key "
                                + Problems.show(key)
                                + Problems.suggest(key, known.stream().sorted().toList()));
            }
        }
    }

    private void note(TomlTable table, String key, String text) {
        pack.note(lineOf(table, key), text);
    }

    private static int lineOf(TomlTable table, String key) {
        return table.inputPositionOf(List.of(key)).line();
    }
}
