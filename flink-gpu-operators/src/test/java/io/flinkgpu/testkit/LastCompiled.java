package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.util.function.Function;

/** Compiles rule sets; several redactors that are asked for the same one in turn share the work. */
public final class LastCompiled {

    private final Function<RuleSet, CompiledRules> compiler;
    private RuleSet ruleSet;
    private CompiledRules compiled;
    private RuleException refusal;

    public LastCompiled() {
        this(RuleCompiler::compile);
    }

    private LastCompiled(Function<RuleSet, CompiledRules> compiler) {
        this.compiler = compiler;
    }

    /** Compiles into several automata. */
    public static LastCompiled inParts() {
        return new LastCompiled(RuleCompiler::compileInParts);
    }

    /** Compiles into automata that match where no rule does, too, as those of rules that are too large for their own. */
    public static LastCompiled wider() {
        return new LastCompiled(rules -> RuleCompiler.compileInParts(rules, 0));
    }

    public CompiledRules compile(RuleSet rules) {
        if (!rules.equals(ruleSet)) {
            ruleSet = rules;
            try {
                compiled = compiler.apply(rules);
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
