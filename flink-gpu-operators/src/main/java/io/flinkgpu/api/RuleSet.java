package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An ordered, immutable list of rules.
 *
 * <p>It behaves as one alternation {@code (?:r1)|(?:r2)|...} of {@code java.util.regex} over UTF-8
 * text: the leftmost match wins, at one start the earlier rule wins, inside a rule the leftmost-first
 * alternative wins; scanning goes on after the match and nothing is rescanned.
 */
@PublicEvolving
public final class RuleSet implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The most rules a set may hold. */
    public static final int MAX_RULES = 4_096;

    private final List<Rule> rules;
    private final boolean allowsUnmatchable;

    private RuleSet(List<Rule> rules, boolean allowsUnmatchable) {
        this.rules = rules;
        this.allowsUnmatchable = allowsUnmatchable;
    }

    /** A rule set of these rules; their order is their priority. */
    public static RuleSet of(Rule... rules) {
        Errors.present("rules", rules);
        return of(Arrays.asList(rules));
    }

    /** A rule set of these rules; their order is their priority. */
    public static RuleSet of(List<Rule> rules) {
        Errors.present("rules", rules);
        if (rules.isEmpty() || rules.size() > MAX_RULES) {
            throw new IllegalArgumentException(
                    "a rule set holds 1 to " + MAX_RULES + " rules: rules=" + rules.size());
        }
        Set<String> names = new HashSet<>();
        for (Rule rule : rules) {
            if (!names.add(rule.name())) {
                throw new IllegalArgumentException(
                        "rule names must differ: name='" + rule.name() + "' is there twice");
            }
        }
        return new RuleSet(List.copyOf(rules), false);
    }

    /**
     * The same rules, of which some may never match, as no text does or earlier rules always match first.
     * Without that such a rule is an error, as it protects nothing.
     */
    public RuleSet allowUnmatchable() {
        return new RuleSet(rules, true);
    }

    /**
     * The rules of at least a confidence, in their order.
     *
     * @throws IllegalArgumentException if there are none
     */
    public RuleSet atLeast(Confidence confidence) {
        List<Rule> left =
                rules.stream()
                        .filter(rule -> rule.confidence().compareTo(confidence) >= 0)
                        .toList();
        if (left.isEmpty()) {
            throw new IllegalArgumentException(
                    "no rule has the confidence: confidence=" + confidence + "; lower it");
        }
        return new RuleSet(left, allowsUnmatchable);
    }

    /** Whether rules may be there that never match. */
    public boolean allowsUnmatchable() {
        return allowsUnmatchable;
    }

    /** The rules in priority order. */
    public List<Rule> rules() {
        return rules;
    }

    /** The number of rules. */
    public int size() {
        return rules.size();
    }

    /** The rule at a priority, 0 the highest. */
    public Rule rule(int index) {
        return rules.get(index);
    }

    /** Whether any rule's action is a keyed hash, so that a {@link HashKey} is needed. */
    public boolean needsHashKey() {
        return rules.stream().anyMatch(rule -> rule.action() instanceof Action.Hash);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RuleSet that
                && rules.equals(that.rules)
                && allowsUnmatchable == that.allowsUnmatchable;
    }

    @Override
    public int hashCode() {
        return rules.hashCode();
    }

    @Override
    public String toString() {
        return "RuleSet" + rules.stream().map(Rule::name).toList();
    }
}
