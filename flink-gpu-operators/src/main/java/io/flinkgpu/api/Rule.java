package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

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
 * @param group the number or name of the group that is judged and replaced, the rest of the match staying as it is;
 *     {@code *} for the first group that takes part and is not empty, where what follows a group that a match may lack is
 *     not looked at; empty for the whole match. A match in which the group took no part, or is empty, is judged and
 *     replaced whole
 * @param context words that must be near a match for it to count
 * @param confidence how sure a match is
 */
@PublicEvolving
public record Rule(
        String name,
        String regex,
        Action action,
        Validator validator,
        AllowList allowList,
        String group,
        Context context,
        Confidence confidence)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public Rule {
        Errors.present("name", name);
        Errors.present("regex", regex);
        Errors.present("action", action);
        Errors.present("validator", validator);
        Errors.present("allowList", allowList);
        Errors.present("group", group);
        Errors.present("context", context);
        Errors.present("confidence", confidence);
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "a rule's name must not be blank: name='" + name + "'");
        }
    }

    /** A rule that replaces whole matches, wherever they are. */
    public Rule(
            String name, String regex, Action action, Validator validator, AllowList allowList) {
        this(name, regex, action, validator, allowList, "", Context.NONE, Confidence.HIGH);
    }

    /** A rule with no validator and no allow list. */
    public static Rule of(String name, String regex, Action action) {
        return new Rule(name, regex, action, Validator.NONE, AllowList.EMPTY);
    }

    /** The same rule with another validator. */
    public Rule withValidator(Validator validator) {
        return new Rule(name, regex, action, validator, allowList, group, context, confidence);
    }

    /** The same rule, of which only a group is judged and replaced: its number, from 1 on, its name, or {@code *} for the first. */
    public Rule withGroup(String group) {
        return new Rule(name, regex, action, validator, allowList, group, context, confidence);
    }

    /** The same rule with another allow list. */
    public Rule withAllowList(AllowList allowList) {
        return new Rule(name, regex, action, validator, allowList, group, context, confidence);
    }

    /** The same rule, whose matches count only where a word is. */
    public Rule withContext(Context context) {
        return new Rule(name, regex, action, validator, allowList, group, context, confidence);
    }

    /** The same rule with another confidence. */
    public Rule withConfidence(Confidence confidence) {
        return new Rule(name, regex, action, validator, allowList, group, context, confidence);
    }
}
