package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
    private final Set<Form> forms;

    /** Null if records are plain text. */
    private final Structure structure;

    private RuleSet(
            List<Rule> rules, boolean allowsUnmatchable, Set<Form> forms, Structure structure) {
        this.rules = rules;
        this.allowsUnmatchable = allowsUnmatchable;
        this.forms = forms;
        this.structure = structure;
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
        return new RuleSet(List.copyOf(rules), false, EnumSet.noneOf(Form.class), null);
    }

    /**
     * The same rules, of which some may never match, as no text does or earlier rules always match first.
     * Without that such a rule is an error, as it protects nothing.
     */
    public RuleSet allowUnmatchable() {
        return new RuleSet(rules, true, forms, structure);
    }

    /**
     * The rules of at least a confidence, in their order, bound to the same fields.
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
        Set<String> names = left.stream().map(Rule::name).collect(Collectors.toSet());
        return new RuleSet(
                left,
                allowsUnmatchable,
                forms,
                structure == null ? null : structure.boundTo(names));
    }

    /** Whether rules may be there that never match. */
    public boolean allowsUnmatchable() {
        return allowsUnmatchable;
    }

    /**
     * The same rules, which search records under these forms as well, in place of those before: a secret that is
     * percent-encoded, say, is found and replaced where it stands. What is replaced is defined in docs/rules.md.
     *
     * @throws IllegalArgumentException if there are forms and a rule drops its matches, as what comes together there
     *     would have to be searched under all forms again
     */
    public RuleSet withForms(Form... forms) {
        return withForms(Arrays.asList(forms));
    }

    /** The same for a collection of forms, of which each counts once. */
    public RuleSet withForms(Collection<Form> forms) {
        Set<Form> chosen = EnumSet.noneOf(Form.class);
        chosen.addAll(forms);
        if (!chosen.isEmpty()) {
            requireNoDrop("forms");
        }
        return new RuleSet(rules, allowsUnmatchable, chosen, structure);
    }

    /**
     * The same rules for records of a format, in place of the one before.
     *
     * @throws IllegalArgumentException if a rule drops its matches, or one is bound that is not there
     */
    public RuleSet withStructure(Structure structure) {
        Objects.requireNonNull(structure, "structure");
        requireNoDrop("a structure");
        for (String name : structure.bound().keySet()) {
            if (rules.stream().noneMatch(rule -> rule.name().equals(name))) {
                throw Errors.argument(
                        "a rule that is bound to fields is in the set: rule='%s'; add it, or correct the name",
                        name);
            }
        }
        return new RuleSet(rules, allowsUnmatchable, forms, structure);
    }

    /** The same rules for records that are plain text, and searched as they are. */
    public RuleSet withoutFormsAndStructure() {
        return new RuleSet(rules, allowsUnmatchable, EnumSet.noneOf(Form.class), null);
    }

    private void requireNoDrop(String what) {
        for (Rule rule : rules) {
            if (isEmpty(rule.action())) {
                throw Errors.argument(
                        "a rule set with %s has no rule that drops its matches: rule='%s'; give it a label",
                        what, rule.name());
            }
        }
    }

    private static boolean isEmpty(Action action) {
        return action instanceof Action.Drop
                || action instanceof Action.Label label && label.text().isEmpty();
    }

    /** The forms under which records are searched as well. */
    public Set<Form> forms() {
        return Collections.unmodifiableSet(forms);
    }

    /** What records are; empty for plain text. */
    public Optional<Structure> structure() {
        return Optional.ofNullable(structure);
    }

    /** Whether records are searched as they are, and nothing else. */
    public boolean isPlain() {
        return forms.isEmpty() && structure == null;
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

    /** Whether any rule's action needs a {@link HashKey}. */
    public boolean needsHashKey() {
        return rules.stream()
                .map(Rule::action)
                .anyMatch(
                        action ->
                                action instanceof Action.Hash
                                        || action instanceof Action.FormatMask);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RuleSet that
                && rules.equals(that.rules)
                && allowsUnmatchable == that.allowsUnmatchable
                && forms.equals(that.forms)
                && Objects.equals(structure, that.structure);
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
