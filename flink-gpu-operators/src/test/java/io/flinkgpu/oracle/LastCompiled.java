package io.flinkgpu.oracle;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

/** Compiles rule sets; several redactors that are asked for the same one in turn share the work. */
public final class LastCompiled {

    private RuleSet ruleSet;
    private CompiledRules compiled;
    private RuleException refusal;

    CompiledRules compile(RuleSet rules) {
        if (!rules.equals(ruleSet)) {
            ruleSet = rules;
            try {
                compiled = RuleCompiler.compile(rules);
                refusal = null;
            } catch (RuleException e) {
                refusal = e;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
        return compiled;
    }
}
