package io.flinkgpu.rules;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Collects the rules of a pack and what of it has no effect. */
final class PackBuilder {

    private final Problems problems;
    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, String> places = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    PackBuilder(Problems problems) {
        this.problems = problems;
    }

    /** A rule with a label made of its name, and the name made different from others. */
    Rule rule(String name, String labelOf, String regex) {
        String unique = name;
        for (int number = 2; !names.add(unique); number++) {
            unique = name + " (" + number + ")";
        }
        return Rule.of(unique, regex, Action.label("[" + labelText(labelOf) + "]"));
    }

    /** A name as labels have it: {@code STRIPE_ACCESS_TOKEN}. */
    static String labelText(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
    }

    /**
     * Adds a rule.
     *
     * @param line where it starts in the file
     */
    void add(int line, Rule rule) {
        rules.add(rule);
        places.put(rule.name(), problems.place(line));
    }

    void note(int line, String text) {
        notes.add(problems.at(line, text));
    }

    RulePack build() {
        problems.throwIfAny();
        if (rules.isEmpty()) {
            throw problems.fail(0, "has no rules with a regex; check that it is a rule pack");
        }
        return new RulePack(rules, places, notes);
    }
}
