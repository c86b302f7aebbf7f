package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Expressions;
import io.flinkgpu.api.expression.Operation;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.sql.operator.TextCheck;
import io.flinkgpu.sql.rules.NamedRules;

import org.apache.flink.table.types.logical.LogicalType;

import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * From one of Flink's expressions to the library's, if the answers are the same bit for bit. What is not
 * supported within it becomes a column that Flink's code computes before, where Flink computes it in any case,
 * or where it cannot fail: within a branch that Flink may skip an error would be new.
 */
final class RexTranslator {

    private final RexBuilder rexBuilder;
    private final Arguments arguments;
    private final Set<String> excluded;
    private final Findings findings;
    private final boolean lazy;

    RexTranslator(RexBuilder rexBuilder, Arguments arguments, Set<String> excluded) {
        this(rexBuilder, arguments, excluded, new Findings(), false);
    }

    private RexTranslator(
            RexBuilder rexBuilder,
            Arguments arguments,
            Set<String> excluded,
            Findings findings,
            boolean lazy) {
        this.rexBuilder = rexBuilder;
        this.arguments = arguments;
        this.excluded = excluded;
        this.findings = findings;
        this.lazy = lazy;
    }

    /** The same for operands that Flink may skip. */
    RexTranslator lazily() {
        return new RexTranslator(rexBuilder, arguments, excluded, findings, true);
    }

    /** What was found out about what was translated. */
    Findings findings() {
        return findings;
    }

    RexBuilder rexBuilder() {
        return rexBuilder;
    }

    /** The same expression. */
    Expression expression(RexNode node) throws UnsupportedException {
        if (node instanceof RexInputRef reference) {
            return arguments.ofInput(reference.getIndex());
        }
        if (node instanceof RexLiteral literal) {
            return literal(literal);
        }
        if (!(node instanceof RexCall call)) {
            throw UnsupportedException.named(node.getKind() + " is not supported");
        }
        String name = call.getOperator().getName();
        Support.Function function =
                Support.of(call)
                        .orElseThrow(() -> UnsupportedException.named(name + " is not supported"));
        if (excluded.contains(function.name())) {
            throw UnsupportedException.named(function.name() + " is excluded by gpu.sql.exclude");
        }
        try {
            Expression expression = function.rule().apply(this, call);
            findings.work += function.work();
            return expression;
        } catch (UnsupportedException e) {
            throw e.of(function.name());
        } catch (IllegalArgumentException e) {
            throw UnsupportedException.named(function.name() + ": " + e.getMessage());
        }
    }

    /** An operand of any type. */
    Expression operand(RexCall call, int index) throws UnsupportedException {
        RexNode operand = call.getOperands().get(index);
        int work = findings.work;
        try {
            return expression(operand);
        } catch (UnsupportedException e) {
            findings.work = work;
            if (operand instanceof RexInputRef
                    || !RexUtil.isDeterministic(operand)
                    || lazy && !Infallible.is(operand)) {
                throw e;
            }
            Expression computed = arguments.computed(operand);
            findings.lifted.add(e.getMessage());
            return computed;
        }
    }

    TextExpression text(RexCall call, int index) throws UnsupportedException {
        if (operand(call, index) instanceof TextExpression text) {
            return text;
        }
        throw new UnsupportedException("an operand is no text");
    }

    Condition condition(RexCall call, int index) throws UnsupportedException {
        if (operand(call, index) instanceof Condition condition) {
            return condition;
        }
        throw new UnsupportedException("an operand is no condition");
    }

    /** An operand that is a constant text of at least one character. */
    String constant(RexCall call, int index) throws UnsupportedException {
        String value = anyConstant(call, index);
        if (value.isEmpty()) {
            throw new UnsupportedException("a constant is empty");
        }
        return value;
    }

    String anyConstant(RexCall call, int index) throws UnsupportedException {
        if (call.getOperands().get(index) instanceof RexLiteral literal
                && literal.getValue() != null
                && literal.getValueAs(String.class) != null) {
            return literal.getValueAs(String.class);
        }
        throw new UnsupportedException("an argument is no constant");
    }

    /** A constant from 1 on. */
    int positive(RexCall call, int index) throws UnsupportedException {
        int value = integer(call, index);
        if (value < 1) {
            throw new UnsupportedException("a constant is less than 1");
        }
        return value;
    }

    int integer(RexCall call, int index) throws UnsupportedException {
        if (call.getOperands().get(index) instanceof RexLiteral literal
                && literal.getValue() instanceof BigDecimal value) {
            return value.intValueExact();
        }
        throw new UnsupportedException("an argument is no constant");
    }

    /** The same text, in rows whose texts are checked. */
    TextExpression checked(TextExpression text, TextCheck check) throws UnsupportedException {
        Set<String> columns = new HashSet<>();
        if (!isAscii(text, columns)) {
            throw new UnsupportedException("a constant has other characters than ASCII");
        }
        columns.forEach(column -> findings.checks.add(new Check(column, check)));
        return text;
    }

    /**
     * A redaction.
     *
     * @param name of the rules; null for the default
     */
    TextExpression redact(TextExpression text, NamedRules rules, String name)
            throws UnsupportedException {
        RuleSet ruleSet = rules.get(name == null ? NamedRules.DEFAULT : name);
        if (ruleSet.needsHashKey()) {
            hashedBy(rules.hashKey().orElseThrow());
        }
        return text.redact(ruleSet);
    }

    /** Has the program's hashes be under a key. */
    void hashedBy(HashKey key) throws UnsupportedException {
        if (findings.hashKey != null && !findings.hashKey.equals(key)) {
            throw new UnsupportedException("two keys of hashes in one column");
        }
        findings.hashKey = key;
    }

    private static Expression literal(RexLiteral literal) throws UnsupportedException {
        LogicalType type = Types.logical(literal.getType());
        TextExpression none = Expressions.lit((String) null);
        boolean isNull = literal.getValue() == null;
        return switch (type.getTypeRoot()) {
            case CHAR, VARCHAR -> Expressions.lit(literal.getValueAs(String.class));
            case BOOLEAN ->
                    isNull
                            ? none.isEmpty()
                            : Expressions.lit(literal.getValueAs(Boolean.class).booleanValue());
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                    isNull
                            ? none.length()
                            : Expressions.lit(
                                    literal.getValueAs(BigDecimal.class).longValueExact());
            case DOUBLE -> {
                if (isNull) {
                    throw new UnsupportedException("NULL of type DOUBLE is not supported");
                }
                yield Expressions.lit(literal.getValueAs(Double.class).doubleValue());
            }
            default ->
                    throw new UnsupportedException("type " + type.copy(true) + " is not supported");
        };
    }

    /** Whether all constants within are, with the columns it reads. */
    private static boolean isAscii(Expression expression, Set<String> columns) {
        if (expression.operation() == Operation.COLUMN) {
            columns.add((String) expression.arguments().get(0));
            return true;
        }
        return expression.arguments().stream().allMatch(RexTranslator::isAscii)
                && expression.operands().stream().allMatch(operand -> isAscii(operand, columns));
    }

    private static boolean isAscii(Object constant) {
        if (constant instanceof RuleSet rules) {
            return rules.rules().stream().map(Rule::action).allMatch(RexTranslator::isAscii);
        }
        if (constant instanceof Action.Label label) {
            return isAscii(label.text());
        }
        if (constant instanceof Action.Hash hash) {
            return isAscii(hash.prefix()) && isAscii(hash.suffix());
        }
        if (constant instanceof Action.Counter counter) {
            return isAscii(counter.prefix()) && isAscii(counter.suffix());
        }
        if (constant instanceof Action) {
            return constant instanceof Action.Mask
                    || constant instanceof Action.FormatMask
                    || constant instanceof Action.Drop;
        }
        return !(constant instanceof String text) || text.chars().allMatch(c -> c < 0x80);
    }

    /** What texts of a column have to be. */
    record Check(String column, TextCheck check) {}

    /** What was found out about an expression. */
    static final class Findings {

        private int work;
        private HashKey hashKey;
        private final Set<Check> checks = new HashSet<>();
        private final List<String> lifted = new ArrayList<>();

        /** What Flink's code costs of what the library computes, in short text functions. */
        int work() {
            return work;
        }

        /** The key of hashes; null if none is needed. */
        HashKey hashKey() {
            return hashKey;
        }

        Set<Check> checks() {
            return checks;
        }

        /** Why parts of it are computed by Flink's code. */
        List<String> lifted() {
            return lifted;
        }
    }
}
