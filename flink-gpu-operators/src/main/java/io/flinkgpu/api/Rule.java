package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Objects;

/**
 * One redaction rule: what to find, what to put there, and what to leave alone.
 *
 * <p>The regex is checked when the rule set is compiled, not here, so that all errors of a rule set
 * are reported together.
 *
 * @param name unique in its rule set; used in errors, metrics and reports
 * @param regex {@code java.util.regex} syntax, the subset listed in docs/rules.md
 * @param action what replaces a match
 * @param validator a check on the matched text; on a "no" the later rules are tried at its start, then
 *     all at the next code point
 * @param allowList matches that this rule leaves alone; the scan goes on as after a "no"
 */
@PublicEvolving
public record Rule(
        String name, String regex, Action action, Validator validator, AllowList allowList)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public Rule {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(regex, "regex");
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(validator, "validator");
        Objects.requireNonNull(allowList, "allowList");
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "a rule's name must not be blank: name='" + name + "'");
        }
    }

    /** A rule with no validator and no allow list. */
    public static Rule of(String name, String regex, Action action) {
        return new Rule(name, regex, action, Validator.NONE, AllowList.EMPTY);
    }

    /** The same rule with another validator. */
    public Rule withValidator(Validator validator) {
        return new Rule(name, regex, action, validator, allowList);
    }

    /** The same rule with another allow list. */
    public Rule withAllowList(AllowList allowList) {
        return new Rule(name, regex, action, validator, allowList);
    }
}
