package io.flinkgpu.text;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

/** Compiles rule sets. */
public final class RuleCompiler {

    private RuleCompiler() {}

    /**
     * Checks and compiles a rule set.
     *
     * @throws RuleException with every error of every rule
     */
    public static CompiledRules compile(RuleSet ruleSet) {
        throw new UnsupportedOperationException();
    }
}
