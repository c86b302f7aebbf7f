package io.flinkgpu.sql.functions;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.sql.rules.NamedRules;
import io.flinkgpu.sql.rules.TextRedactor;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.functions.SpecializedFunction;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.TypeInference;

import java.util.List;

/**
 * {@code REDACT(text [, rules])}: the text with what a rule set finds replaced; null of null. The rules are
 * a constant, the name of a rule set of the module; those of the name {@code default} if not given.
 *
 * <p>A text that cannot be redacted fails the job: none passes as it was.
 */
@PublicEvolving
public final class RedactFunction extends ScalarFunction implements SpecializedFunction {

    private static final long serialVersionUID = 1L;

    private final NamedRules rules;
    private final String chosen;
    private transient TextRedactor redactor;

    /** With the built-in rules alone, for {@code CREATE FUNCTION}. */
    public RedactFunction() {
        this(NamedRules.defaults());
    }

    /** With rule sets by name. */
    public RedactFunction(NamedRules rules) {
        this(rules, NamedRules.DEFAULT);
    }

    private RedactFunction(NamedRules rules, String chosen) {
        this.rules = rules;
        this.chosen = chosen;
    }

    /** The rule sets that a call can name. */
    public NamedRules rules() {
        return rules;
    }

    /** The function of one call: with the rules that it names. */
    @Override
    public UserDefinedFunction specialize(SpecializedContext context) {
        return new RedactFunction(rules, rulesOf(context.getCallContext()));
    }

    @Override
    public void open(FunctionContext context) throws Exception {
        RuleSet ruleSet = rules.get(chosen);
        byte[] key = ruleSet.needsHashKey() ? rules.hashKey().orElseThrow().load() : new byte[0];
        redactor = new TextRedactor(ruleSet, key);
    }

    @Override
    public void close() {
        if (redactor != null) {
            redactor.close();
        }
    }

    /** The text, redacted. */
    public StringData eval(StringData text) {
        return text == null ? null : redactor.redact(text);
    }

    /** The text, redacted; the rules are those that this function was specialized for. */
    public StringData eval(StringData text, StringData rules) {
        return eval(text);
    }

    @Override
    public TypeInference getTypeInference(DataTypeFactory typeFactory) {
        return TextArguments.inference(
                List.of(TextArguments.Argument.text("text"), TextArguments.Argument.text("rules")),
                call -> rules.get(rulesOf(call)));
    }

    /** No: a hash needs the key, which the machine that plans a query need not have. */
    @Override
    public boolean supportsConstantFolding() {
        return false;
    }

    private static String rulesOf(CallContext call) {
        return call.getArgumentDataTypes().size() < 2
                ? NamedRules.DEFAULT
                : call.getArgumentValue(1, String.class).orElseThrow();
    }
}
