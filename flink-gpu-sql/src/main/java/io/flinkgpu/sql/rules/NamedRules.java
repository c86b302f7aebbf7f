package io.flinkgpu.sql.rules;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rule sets by name, and where the key of their hashes comes from. Immutable: each method gives a copy. */
@PublicEvolving
public final class NamedRules implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The name of the rules that are meant where none are named. */
    public static final String DEFAULT = "default";

    private final TreeMap<String, RuleSet> ruleSets;
    private final HashKey hashKey;

    private NamedRules(Map<String, RuleSet> ruleSets, HashKey hashKey) {
        this.ruleSets = new TreeMap<>(ruleSets);
        this.hashKey = hashKey;
    }

    /** The built-in rules as {@value #DEFAULT}, and no key. */
    public static NamedRules defaults() {
        return new NamedRules(Map.of(DEFAULT, DefaultRules.get()), null);
    }

    /**
     * Adds rules, or puts them in the place of those of this name.
     *
     * @throws io.flinkgpu.api.RuleException if they cannot be compiled, with the errors of all rules
     */
    public NamedRules with(String name, RuleSet rules) {
        RuleCompiler.compile(rules).requireMatchable();
        SortedMap<String, RuleSet> more = new TreeMap<>(ruleSets);
        more.put(Objects.requireNonNull(name, "name"), rules);
        return new NamedRules(more, hashKey);
    }

    /** Says where the key of hashes comes from. */
    public NamedRules withHashKey(HashKey key) {
        return new NamedRules(ruleSets, Objects.requireNonNull(key, "key"));
    }

    /**
     * The rules of a name.
     *
     * @throws IllegalArgumentException if there are none, or they hash and there is no key
     */
    public RuleSet get(String name) {
        RuleSet rules = ruleSets.get(name);
        if (rules == null) {
            throw Errors.argument(
                    "no such rule set: rules='%s', known=%s; name one of them, or load the module"
                            + " with 'rules.%s.path' = '<file>'",
                    name, ruleSets.keySet(), name);
        }
        if (rules.needsHashKey() && hashKey == null) {
            throw Errors.argument(
                    "the rules hash and need a key: rules='%s'; load the module with"
                            + " 'hash-key.path' = '<file on each TaskManager>'",
                    name);
        }
        return rules;
    }

    /** Where the key of hashes comes from. */
    public Optional<HashKey> hashKey() {
        return Optional.ofNullable(hashKey);
    }
}
