package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.NumberExpression;
import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.sql.functions.HashHmacFunction;
import io.flinkgpu.sql.functions.MaskFunction;
import io.flinkgpu.sql.functions.RedactFunction;
import io.flinkgpu.sql.operator.TextCheck;

import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.planner.functions.bridging.BridgingSqlFunction;
import org.apache.flink.table.planner.functions.sql.FlinkSqlOperatorTable;

import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.fun.SqlTrimFunction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.flinkgpu.api.expression.Expressions.coalesce;
import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;

/**
 * The functions of SQL that the library computes with Flink's own answers, bit for bit, and when it does. The
 * only place that knows: plans, EXPLAIN and the table in docs/sql.md are made of it.
 */
final class Support {

    /** The work of a regular expression, however short. */
    static final int RULE_WORK = 100;

    private static final Map<Object, Function> FUNCTIONS = new LinkedHashMap<>();

    static {
        Rule compare = Support::compare;
        add("=", "texts, integers, doubles; of one kind", 0, compare, SqlStdOperatorTable.EQUALS);
        add("<>", "likewise", 0, compare, SqlStdOperatorTable.NOT_EQUALS);
        add("<", "integers, doubles", 0, compare, SqlStdOperatorTable.LESS_THAN);
        add(">", "likewise", 0, compare, SqlStdOperatorTable.GREATER_THAN);
        add("<=", "likewise", 0, compare, SqlStdOperatorTable.LESS_THAN_OR_EQUAL);
        add(">=", "likewise", 0, compare, SqlStdOperatorTable.GREATER_THAN_OR_EQUAL);
        add(
                "IN, BETWEEN",
                "constants",
                0,
                (t, call) -> t.expression(RexUtil.expandSearch(t.rexBuilder(), null, call)),
                SqlStdOperatorTable.SEARCH);
        add("AND", "", 0, Support::and, SqlStdOperatorTable.AND);
        add("OR", "", 0, Support::or, SqlStdOperatorTable.OR);
        add("NOT", "", 0, (t, c) -> t.condition(c, 0).not(), SqlStdOperatorTable.NOT);
        add("IS NULL", "", 0, (t, c) -> t.operand(c, 0).isNull(), SqlStdOperatorTable.IS_NULL);
        add(
                "IS NOT NULL",
                "",
                0,
                (t, c) -> t.operand(c, 0).isNull().not(),
                SqlStdOperatorTable.IS_NOT_NULL);
        add("IS TRUE", "", 0, (t, c) -> isTrue(t.condition(c, 0)), SqlStdOperatorTable.IS_TRUE);
        add(
                "IS NOT TRUE",
                "",
                0,
                (t, c) -> isTrue(t.condition(c, 0)).not(),
                SqlStdOperatorTable.IS_NOT_TRUE);
        add(
                "IS FALSE",
                "",
                0,
                (t, c) -> isTrue(t.condition(c, 0).not()),
                SqlStdOperatorTable.IS_FALSE);
        add(
                "IS NOT FALSE",
                "",
                0,
                (t, c) -> isTrue(t.condition(c, 0).not()).not(),
                SqlStdOperatorTable.IS_NOT_FALSE);
        add("CASE", "", 0, Support::caseWhen, SqlStdOperatorTable.CASE);
        add("IF", "", 0, Support::caseWhen, FlinkSqlOperatorTable.IF);
        add("COALESCE", "", 0, Support::coalesced, BuiltInFunctionDefinitions.COALESCE);
        add(
                "CAST",
                "to a type that holds all values: a longer VARCHAR, a wider integer",
                0,
                Support::cast,
                SqlStdOperatorTable.CAST);
        add("CONCAT", "texts", 1, Support::concatenated, FlinkSqlOperatorTable.CONCAT_FUNCTION);
        add("||", "texts", 1, Support::concatenated, SqlStdOperatorTable.CONCAT);
        add(
                "LEFT",
                "a constant from 1 on",
                1,
                (t, c) -> t.text(c, 0).left(t.positive(c, 1)),
                FlinkSqlOperatorTable.LEFT);
        add(
                "RIGHT",
                "a constant from 1 on",
                1,
                (t, c) -> t.text(c, 0).right(t.positive(c, 1)),
                FlinkSqlOperatorTable.RIGHT);
        add(
                "SUBSTRING",
                "constants from 1 on",
                1,
                Support::substring,
                FlinkSqlOperatorTable.SUBSTRING,
                FlinkSqlOperatorTable.SUBSTR);
        add("TRIM", "of blanks at both ends", 1, Support::trim, FlinkSqlOperatorTable.TRIM);
        add(
                "UPPER",
                "rows of ASCII; others by Flink's code",
                1,
                (t, c) -> t.checked(t.text(c, 0), TextCheck.ASCII).upper(),
                FlinkSqlOperatorTable.UPPER);
        add(
                "LOWER",
                "likewise",
                1,
                (t, c) -> t.checked(t.text(c, 0), TextCheck.ASCII).lower(),
                FlinkSqlOperatorTable.LOWER);
        add(
                "CHAR_LENGTH",
                "",
                1,
                (t, c) -> t.text(c, 0).length(),
                FlinkSqlOperatorTable.CHAR_LENGTH,
                FlinkSqlOperatorTable.CHARACTER_LENGTH);
        add(
                "LIKE",
                "a constant without _, with % at its ends only, without ESCAPE",
                1,
                Support::like,
                FlinkSqlOperatorTable.LIKE);
        add("NOT LIKE", "likewise", 1, (t, c) -> like(t, c).not(), FlinkSqlOperatorTable.NOT_LIKE);
        add(
                "STARTSWITH",
                "texts",
                1,
                (t, c) -> t.text(c, 0).startsWith(t.text(c, 1)),
                BuiltInFunctionDefinitions.STARTS_WITH);
        add(
                "ENDSWITH",
                "texts",
                1,
                (t, c) -> t.text(c, 0).endsWith(t.text(c, 1)),
                BuiltInFunctionDefinitions.ENDS_WITH);
        add(
                "LPAD",
                "a constant from 1 to 1000, and a character of ASCII; rows of ASCII, others by"
                        + " Flink's code",
                1,
                Padding::left,
                FlinkSqlOperatorTable.LPAD);
        add(
                "RPAD",
                "likewise, and more than a character",
                1,
                Padding::right,
                FlinkSqlOperatorTable.RPAD);
        add("MASK", "", 1, Support::mask, MaskFunction.class);
        add(
                "REPLACE",
                "constants, the first not empty",
                1,
                (t, c) -> t.text(c, 0).replace(t.constant(c, 1), t.anyConstant(c, 2)),
                FlinkSqlOperatorTable.REPLACE);
        add(
                "SPLIT_INDEX",
                "a constant text that is not empty, and a constant from 0 on",
                1,
                Support::splitIndex,
                FlinkSqlOperatorTable.SPLIT_INDEX);
        add(
                "REGEXP_REPLACE",
                "constants: a regular expression in [the syntax of rules]"
                        + "(rules.md#regular-expressions), and a text that is not empty",
                RULE_WORK,
                RegexReplacement::of,
                FlinkSqlOperatorTable.REGEXP_REPLACE);
        add(
                "REGEXP",
                "a constant in the same syntax",
                RULE_WORK,
                (t, c) -> RegexReplacement.finds(t, t.text(c, 0), t.constant(c, 1)),
                FlinkSqlOperatorTable.REGEXP);
        add("HASH_HMAC", "", 1, Support::hashHmac, HashHmacFunction.class);
        add("REDACT", "", RULE_WORK, Support::redact, RedactFunction.class);
    }

    /** From a call of a function to the same of the library. */
    @FunctionalInterface
    interface Rule {
        Expression apply(RexTranslator translator, RexCall call) throws UnsupportedException;
    }

    /**
     * A function of SQL.
     *
     * @param name in SQL
     * @param condition when it is supported; empty for always
     * @param work what it costs by Flink's code, a short text function being 1
     * @param rule makes the library's expression of a call
     */
    record Function(String name, String condition, int work, Rule rule) {}

    private Support() {}

    /** The function that a call is of, if any call of it is supported. */
    static Optional<Function> of(RexCall call) {
        SqlOperator operator = call.getOperator();
        if (operator instanceof BridgingSqlFunction bridging) {
            FunctionDefinition definition = bridging.getDefinition();
            return Optional.ofNullable(
                    FUNCTIONS.getOrDefault(definition, FUNCTIONS.get(definition.getClass())));
        }
        return Optional.ofNullable(FUNCTIONS.get(operator));
    }

    /** All functions, in the order of the table in the docs. */
    static Collection<Function> functions() {
        return FUNCTIONS.values().stream().distinct().toList();
    }

    private static void add(
            String name, String condition, int work, Rule rule, Object... operators) {
        Function function = new Function(name, condition, work, rule);
        for (Object operator : operators) {
            FUNCTIONS.put(operator, function);
        }
    }

    private static Condition compare(RexTranslator t, RexCall call) throws UnsupportedException {
        Expression left = t.operand(call, 0);
        Expression right = t.operand(call, 1);
        if (left.type() != right.type()) {
            throw new UnsupportedException("it compares different types");
        }
        if (left instanceof TextExpression text) {
            Condition equal = text.equalTo((TextExpression) right);
            return switch (call.getKind()) {
                case EQUALS -> equal;
                case NOT_EQUALS -> equal.not();
                default -> throw new UnsupportedException("it orders texts");
            };
        }
        if (!(left instanceof NumberExpression number)) {
            throw new UnsupportedException("it compares conditions");
        }
        NumberExpression other = (NumberExpression) right;
        return switch (call.getKind()) {
            case EQUALS -> number.equalTo(other);
            case NOT_EQUALS -> number.equalTo(other).not();
            case LESS_THAN -> number.lessThan(other);
            case GREATER_THAN -> number.greaterThan(other);
            // Not the opposite of the other: with NaN both are false.
            case LESS_THAN_OR_EQUAL -> number.lessThan(other).or(number.equalTo(other));
            case GREATER_THAN_OR_EQUAL -> number.greaterThan(other).or(number.equalTo(other));
            default -> throw new UnsupportedException("it is no comparison");
        };
    }

    private static Condition and(RexTranslator t, RexCall call) throws UnsupportedException {
        Condition all = t.condition(call, 0);
        for (int i = 1; i < call.getOperands().size(); i++) {
            all = all.and(t.lazily().condition(call, i));
        }
        return all;
    }

    private static Condition or(RexTranslator t, RexCall call) throws UnsupportedException {
        Condition any = t.condition(call, 0);
        for (int i = 1; i < call.getOperands().size(); i++) {
            any = any.or(t.lazily().condition(call, i));
        }
        return any;
    }

    private static Condition isTrue(Condition condition) {
        return coalesce(condition, lit(false));
    }

    private static Expression caseWhen(RexTranslator t, RexCall call) throws UnsupportedException {
        RexTranslator lazy = t.lazily();
        int last = call.getOperands().size() - 1;
        Expression result = lazy.operand(call, last);
        for (int i = last - 2; i >= 0; i -= 2) {
            Condition condition = (i == 0 ? t : lazy).condition(call, i);
            Expression value = lazy.operand(call, i + 1);
            if (value.type() != result.type()) {
                throw new UnsupportedException("its values are of different types");
            }
            result =
                    value instanceof TextExpression text
                            ? when(condition).then(text).otherwise((TextExpression) result)
                            : value instanceof NumberExpression number
                                    ? when(condition)
                                            .then(number)
                                            .otherwise((NumberExpression) result)
                                    : when(condition)
                                            .then((Condition) value)
                                            .otherwise((Condition) result);
        }
        return result;
    }

    private static Expression coalesced(RexTranslator t, RexCall call) throws UnsupportedException {
        Expression result = null;
        for (int i = call.getOperands().size() - 1; i >= 0; i--) {
            Expression value = (i == 0 ? t : t.lazily()).operand(call, i);
            if (result != null && value.type() != result.type()) {
                throw new UnsupportedException("its values are of different types");
            }
            result =
                    result == null
                            ? value
                            : value instanceof TextExpression text
                                    ? coalesce(text, (TextExpression) result)
                                    : value instanceof NumberExpression number
                                            ? coalesce(number, (NumberExpression) result)
                                            : coalesce((Condition) value, (Condition) result);
        }
        return result;
    }

    private static Expression cast(RexTranslator t, RexCall call) throws UnsupportedException {
        RexNode operand = call.getOperands().get(0);
        if (!Types.holdsAll(operand.getType(), call.getType())) {
            throw new UnsupportedException(
                    "of " + operand.getType() + " to " + call.getType() + " may change values");
        }
        return t.operand(call, 0);
    }

    private static TextExpression concatenated(RexTranslator t, RexCall call)
            throws UnsupportedException {
        TextExpression first = t.text(call, 0);
        List<TextExpression> others = new ArrayList<>();
        for (int i = 1; i < call.getOperands().size(); i++) {
            others.add(t.text(call, i));
        }
        return concat(first, others.toArray(TextExpression[]::new));
    }

    private static TextExpression substring(RexTranslator t, RexCall call)
            throws UnsupportedException {
        TextExpression text = t.text(call, 0);
        return call.getOperands().size() == 2
                ? text.substring(t.positive(call, 1))
                : text.substring(t.positive(call, 1), t.positive(call, 2));
    }

    private static TextExpression trim(RexTranslator t, RexCall call) throws UnsupportedException {
        boolean both =
                call.getOperands().get(0) instanceof RexLiteral flag
                        && flag.getValue() == SqlTrimFunction.Flag.BOTH;
        if (!both || !t.anyConstant(call, 1).equals(" ")) {
            throw new UnsupportedException("it trims other than blanks at both ends");
        }
        return t.text(call, 2).trim();
    }

    private static Condition like(RexTranslator t, RexCall call) throws UnsupportedException {
        String pattern = t.constant(call, 1);
        boolean open = pattern.startsWith("%");
        boolean openAfter = pattern.endsWith("%");
        String text =
                pattern.equals("%")
                        ? ""
                        : pattern.substring(open ? 1 : 0, pattern.length() - (openAfter ? 1 : 0));
        if (call.getOperands().size() > 2
                || text.isEmpty()
                || text.contains("%")
                || text.contains("_")) {
            throw new UnsupportedException("its pattern has other than % at its ends, or ESCAPE");
        }
        TextExpression value = t.text(call, 0);
        if (open) {
            return openAfter ? value.contains(text) : value.endsWith(text);
        }
        return openAfter ? value.startsWith(text) : value.equalTo(text);
    }

    private static TextExpression splitIndex(RexTranslator t, RexCall call)
            throws UnsupportedException {
        TextExpression text = t.text(call, 0);
        int index = t.integer(call, 2);
        if (index < 0 || index == Integer.MAX_VALUE) {
            throw new UnsupportedException("its index is out of range");
        }
        // An empty text has no part here, not even an empty one.
        return when(text.isEmpty())
                .then(lit((String) null))
                .otherwise(text.splitPart(t.constant(call, 1), index + 1));
    }

    private static TextExpression redact(RexTranslator t, RexCall call)
            throws UnsupportedException {
        BridgingSqlFunction function = (BridgingSqlFunction) call.getOperator();
        RedactFunction redact = (RedactFunction) function.getDefinition();
        return t.redact(
                t.text(call, 0),
                redact.rules(),
                call.getOperands().size() > 1 ? t.anyConstant(call, 1) : null);
    }

    private static TextExpression hashHmac(RexTranslator t, RexCall call)
            throws UnsupportedException {
        BridgingSqlFunction function = (BridgingSqlFunction) call.getOperator();
        t.hashedBy(((HashHmacFunction) function.getDefinition()).key());
        return t.text(call, 0).hashHmac();
    }

    private static TextExpression mask(RexTranslator t, RexCall call) throws UnsupportedException {
        int arguments = call.getOperands().size();
        Action mask =
                new Action.Mask(
                        arguments > 1 ? t.integer(call, 1) : 0,
                        arguments > 1 ? t.integer(call, 2) : 0,
                        arguments > 3 ? t.constant(call, 3).charAt(0) : '*');
        return t.text(call, 0).redact(RuleSet.of(io.flinkgpu.api.Rule.of("MASK", "(?s).+", mask)));
    }
}
