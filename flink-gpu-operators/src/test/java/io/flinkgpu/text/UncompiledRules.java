package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;

/** Rules without automata, for backends that have their own idea of a match. */
public final class UncompiledRules {

    private UncompiledRules() {}

    public static CompiledRules of(RuleSet rules) {
        return new CompiledRules(rules, null, null);
    }
}
