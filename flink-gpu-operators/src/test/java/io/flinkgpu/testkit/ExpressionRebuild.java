package io.flinkgpu.testkit;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Expressions;
import io.flinkgpu.api.expression.NumberExpression;
import io.flinkgpu.api.expression.TextExpression;

import java.util.ArrayList;
import java.util.List;

/** Expressions with a part of them replaced. */
final class ExpressionRebuild {

    private ExpressionRebuild() {}

    /** Smaller expressions of the same type to try in the place of one, the smallest first. */
    static List<Expression> simpler(Expression node) {
        List<Expression> simpler = new ArrayList<>();
        addLiterals(node, simpler);
        for (Expression operand : node.operands()) {
            if (operand.type() == node.type()) {
                simpler.add(operand);
            }
        }
        List<Expression> operands = node.operands();
        boolean list =
                switch (node.operation()) {
                    case CONCAT, COALESCE -> true;
                    default -> false;
                };
        for (int i = 0; i < operands.size(); i++) {
            if (list && operands.size() > 1) {
                List<Expression> fewer = new ArrayList<>(operands);
                fewer.remove(i);
                simpler.add(with(node, fewer));
            }
            for (Expression operand : simpler(operands.get(i))) {
                List<Expression> others = new ArrayList<>(operands);
                others.set(i, operand);
                simpler.add(with(node, others));
            }
        }
        return simpler;
    }

    private static void addLiterals(Expression node, List<Expression> simpler) {
        if (node.operands().isEmpty()) {
            return;
        }
        switch (node.type().kind()) {
            case TEXT -> {
                simpler.add(Expressions.lit(""));
                simpler.add(Expressions.lit((String) null));
                simpler.add(Expressions.lit("x"));
                simpler.add(Expressions.col("t0"));
            }
            case LONG -> simpler.add(Expressions.lit(1L));
            case DOUBLE -> simpler.add(Expressions.lit(1.0));
            case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                    throw node.type().refusedBy("an expression");
            case BOOLEAN -> {
                simpler.add(Expressions.lit(true));
                simpler.add(Expressions.lit(false));
                simpler.add(Expressions.booleanCol("b0"));
            }
        }
    }

    /** The same operation on other operands. */
    static Expression with(Expression node, List<Expression> operands) {
        if (operands.isEmpty()) {
            return node;
        }
        return switch (operands.get(0).type().kind()) {
            case TEXT -> ofText(node, operands);
            case LONG, DOUBLE -> ofNumbers(node, operands);
            case BOOLEAN -> ofConditions(node, operands);
            case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                    throw node.type().refusedBy("an expression");
        };
    }

    private static Expression ofText(Expression node, List<Expression> operands) {
        TextExpression text = (TextExpression) operands.get(0);
        List<?> arguments = node.arguments();
        TextExpression[] others =
                operands.stream()
                        .skip(1)
                        .map(TextExpression.class::cast)
                        .toArray(TextExpression[]::new);
        return switch (node.operation()) {
            case CONCAT -> Expressions.concat(text, others);
            case COALESCE -> Expressions.coalesce(text, others);
            case SUBSTRING ->
                    text.substring((Integer) arguments.get(0), (Integer) arguments.get(1));
            case LEFT -> text.left((Integer) arguments.get(0));
            case RIGHT -> text.right((Integer) arguments.get(0));
            case BEFORE -> text.before((String) arguments.get(0));
            case AFTER -> text.after((String) arguments.get(0));
            case SPLIT_PART ->
                    text.splitPart((String) arguments.get(0), (Integer) arguments.get(1));
            case TRIM -> text.trim();
            case UPPER -> text.upper();
            case LOWER -> text.lower();
            case REPLACE -> text.replace((String) arguments.get(0), (String) arguments.get(1));
            case CONTAINS -> text.contains(others[0]);
            case STARTS_WITH -> text.startsWith(others[0]);
            case ENDS_WITH -> text.endsWith(others[0]);
            case EQUAL -> text.equalTo(others[0]);
            case IS_EMPTY -> text.isEmpty();
            case IS_NULL -> text.isNull();
            case LENGTH -> text.length();
            case MATCHES -> text.matches((String) arguments.get(0));
            case REDACT -> text.redact((RuleSet) arguments.get(0));
            case HASH_HMAC -> text.hashHmac();
            default -> throw new IllegalArgumentException(node.operation() + " is not of a text");
        };
    }

    private static Expression ofNumbers(Expression node, List<Expression> operands) {
        NumberExpression number = (NumberExpression) operands.get(0);
        NumberExpression[] others =
                operands.stream()
                        .skip(1)
                        .map(NumberExpression.class::cast)
                        .toArray(NumberExpression[]::new);
        return switch (node.operation()) {
            case COALESCE -> Expressions.coalesce(number, others);
            case EQUAL -> number.equalTo(others[0]);
            case LESS -> number.lessThan(others[0]);
            case IS_NULL -> number.isNull();
            default -> throw new IllegalArgumentException(node.operation() + " is not of a number");
        };
    }

    private static Expression ofConditions(Expression node, List<Expression> operands) {
        Condition condition = (Condition) operands.get(0);
        Condition[] others =
                node.type() == ColumnType.BOOLEAN
                        ? operands.stream()
                                .skip(1)
                                .map(Condition.class::cast)
                                .toArray(Condition[]::new)
                        : new Condition[0];
        return switch (node.operation()) {
            case COALESCE -> Expressions.coalesce(condition, others);
            case AND -> condition.and(others[0]);
            case OR -> condition.or(others[0]);
            case NOT -> condition.not();
            case IS_NULL -> condition.isNull();
            case WHEN -> when(condition, operands.get(1), operands.get(2));
            default ->
                    throw new IllegalArgumentException(node.operation() + " is not of a condition");
        };
    }

    static Expression when(Condition condition, Expression value, Expression other) {
        Expressions.When when = Expressions.when(condition);
        return switch (value.type().kind()) {
            case TEXT -> when.then((TextExpression) value).otherwise((TextExpression) other);
            case LONG, DOUBLE ->
                    when.then((NumberExpression) value).otherwise((NumberExpression) other);
            case BOOLEAN -> when.then((Condition) value).otherwise((Condition) other);
            case BYTES, INT, FLOAT, DECIMAL, TIMESTAMP, LIST, VECTOR ->
                    throw value.type().refusedBy("an expression");
        };
    }
}
