package io.flinkgpu.rules;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.annotation.PublicEvolving;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of a pack in the format of another tool, as docs/rules.md tells: gitleaks' TOML, the YAML of
 * secrets-patterns-db, and that of Presidio's recognizers with patterns. Regular expressions are checked when the
 * rule set is compiled, or by {@link RuleCheck}. Immutable.
 */
@PublicEvolving
public final class RulePack {

    private final List<Rule> rules;
    private final Map<String, String> places;
    private final List<String> notes;

    RulePack(List<Rule> rules, Map<String, String> places, List<String> notes) {
        this.rules = List.copyOf(rules);
        this.places = Map.copyOf(places);
        this.notes = List.copyOf(notes);
    }

    /** Whether a file looks like a pack: rule files have another suffix, or other keys. */
    public static boolean isPack(Path file) {
        String name = Errors.present("file", file).toString();
        if (name.endsWith(".toml")) {
            return true;
        }
        if (!name.endsWith(".yaml") && !name.endsWith(".yml")) {
            return false;
        }
        try {
            return RuleFiles.readText(file, new Problems(name))
                    .lines()
                    .anyMatch(
                            line ->
                                    line.startsWith("patterns:")
                                            || line.startsWith("recognizers:"));
        } catch (RuleException e) {
            // Reading the rules says what is wrong.
            return false;
        }
    }

    /**
     * Reads a pack.
     *
     * @throws RuleException with everything that is wrong in the file, or that it cannot be read
     */
    public static RulePack read(Path file) {
        Errors.present("file", file);
        Problems problems = new Problems(file.toString());
        return parse(file.toString(), RuleFiles.readText(file, problems));
    }

    /**
     * Reads a pack that is already in memory.
     *
     * @param fileName its suffix says the format; it stands in errors
     * @throws RuleException with everything that is wrong in the text
     */
    public static RulePack parse(String fileName, String text) {
        Errors.present("fileName", fileName);
        Errors.present("text", text);
        Problems problems = new Problems(fileName);
        PackBuilder pack = new PackBuilder(problems);
        String content = RuleFiles.withoutMark(text);
        if (fileName.endsWith(".toml")) {
            new GitleaksPack(problems, pack).read(content);
        } else if (fileName.endsWith(".yaml") || fileName.endsWith(".yml")) {
            new YamlPack(problems, pack).read(content);
        } else {
            throw problems.fail(0, "unknown kind of pack; end its name in .toml, .yaml or .yml");
        }
        return pack.build();
    }

    /** The rules in the order of the pack. */
    public List<Rule> rules() {
        return rules;
    }

    /**
     * Where a rule stands: the file and the line.
     *
     * @throws IllegalArgumentException if the pack has no such rule
     */
    public String place(String rule) {
        String place = places.get(Errors.present("rule", rule));
        if (place == null) {
            throw Errors.argument("the pack has no such rule: rule='%s'; see rules()", rule);
        }
        return place;
    }

    /** What of the pack has no effect here, one line each with file, line and rule. */
    public List<String> notes() {
        return notes;
    }

    /**
     * The pack without some of its rules, such as those that {@link RuleCheck} refuses.
     *
     * @throws RuleException if it has no such rule
     */
    public RulePack without(String... names) {
        Set<String> unknown = new LinkedHashSet<>(Arrays.asList(names));
        List<Rule> left = new ArrayList<>();
        for (Rule rule : rules) {
            if (!Arrays.asList(names).contains(rule.name())) {
                left.add(rule);
            }
            unknown.remove(rule.name());
        }
        if (!unknown.isEmpty()) {
            throw new RuleException(
                    unknown.stream()
                            .map(name -> "the pack has no rule " + Problems.show(name))
                            .toList());
        }
        Map<String, String> leftPlaces = new HashMap<>(places);
        leftPlaces.keySet().removeAll(Arrays.asList(names));
        return new RulePack(left, leftPlaces, notes);
    }

    /** The pack as a rule set, in its order. */
    public RuleSet toRuleSet() {
        return RuleSet.of(rules);
    }
}
