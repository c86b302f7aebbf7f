package io.flinkgpu.rules;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.annotation.PublicEvolving;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** The built-in rules, listed in docs/rules.md. They are a YAML file in this jar. */
@PublicEvolving
public final class DefaultRules {

    private static final String RESOURCE = "default-rules.yaml";

    /** Built-in rules that must be asked for: a UUID is a trace id more often than a secret. */
    static final Set<String> OPTIONAL = Set.of("uuid");

    private DefaultRules() {}

    /** The built-in rules, less those that must be asked for ({@code uuid}). */
    public static RuleSet get() {
        List<Rule> rules =
                all().rules().stream().filter(rule -> !OPTIONAL.contains(rule.name())).toList();
        return RuleSet.of(rules);
    }

    /**
     * The built-in rules of some groups, less those that must be asked for.
     *
     * @throws IllegalArgumentException if no group is given
     */
    public static RuleSet of(Set<RuleGroup> groups) {
        if (Errors.present("groups", groups).isEmpty()) {
            throw new IllegalArgumentException("no group of built-in rules is given; name one");
        }
        List<Rule> rules =
                get().rules().stream()
                        .filter(
                                rule ->
                                        groups.stream()
                                                .anyMatch(g -> g.rules().contains(rule.name())))
                        .toList();
        return RuleSet.of(rules);
    }

    /** Every built-in rule. */
    public static RuleSet all() {
        try (InputStream resource = DefaultRules.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IllegalStateException(
                        "the jar lacks " + RESOURCE + "; build it anew, resources included");
            }
            String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            return RuleFiles.parse(RESOURCE, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE + " from the jar", e);
        }
    }
}
