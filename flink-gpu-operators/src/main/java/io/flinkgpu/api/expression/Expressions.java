package io.flinkgpu.api.expression;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Where expressions begin. Names and the rules for nulls are those of Flink SQL's functions of the same
 * name: a null in gives a null out unless a method says otherwise. Where edges differ from Flink SQL,
 * docs/expressions.md says so.
 *
 * <pre>{@code
 * when(col("visibility").equalTo("public"))
 *         .then(concat(col("name").after(" ").left(1), lit(" "), col("name").before(" ")))
 *         .otherwise(lit("X X"))
 * }</pre>
 */
@PublicEvolving
public final class Expressions {

    private Expressions() {}

    /** A column of text. */
    public static TextExpression col(String name) {
        return new TextExpression(
                Operation.COLUMN, List.of(), List.of(columnName(name), ColumnType.TEXT));
    }

    /** A column of 64-bit integers. */
    public static NumberExpression longCol(String name) {
        return new NumberExpression(
                ColumnType.LONG,
                Operation.COLUMN,
                List.of(),
                List.of(columnName(name), ColumnType.LONG));
    }

    /** A column of doubles. */
    public static NumberExpression doubleCol(String name) {
        return new NumberExpression(
                ColumnType.DOUBLE,
                Operation.COLUMN,
                List.of(),
                List.of(columnName(name), ColumnType.DOUBLE));
    }

    /** A column of booleans. */
    public static Condition booleanCol(String name) {
        return new Condition(
                Operation.COLUMN, List.of(), List.of(columnName(name), ColumnType.BOOLEAN));
    }

    /** A constant; null for a text that is null. */
    public static TextExpression lit(String value) {
        if (value != null) {
            requireUnicode("value", value);
        }
        return new TextExpression(Operation.LITERAL, List.of(), constant(value, ColumnType.TEXT));
    }

    /** A constant. */
    public static NumberExpression lit(long value) {
        return new NumberExpression(
                ColumnType.LONG, Operation.LITERAL, List.of(), constant(value, ColumnType.LONG));
    }

    /** A constant. */
    public static NumberExpression lit(double value) {
        return new NumberExpression(
                ColumnType.DOUBLE,
                Operation.LITERAL,
                List.of(),
                constant(value, ColumnType.DOUBLE));
    }

    /** A constant. */
    public static Condition lit(boolean value) {
        return new Condition(Operation.LITERAL, List.of(), constant(value, ColumnType.BOOLEAN));
    }

    /** All texts, one behind the other; null if one of them is. */
    public static TextExpression concat(TextExpression first, TextExpression... others) {
        return new TextExpression(Operation.CONCAT, all(first, others), List.of());
    }

    /** The first that is not null; null if all are. */
    public static TextExpression coalesce(TextExpression first, TextExpression... others) {
        return new TextExpression(Operation.COALESCE, all(first, others), List.of());
    }

    /** The first that is not null; null if all are. */
    public static NumberExpression coalesce(NumberExpression first, NumberExpression... others) {
        Errors.present("first", first);
        Errors.present("others", others);
        for (NumberExpression other : others) {
            first.requireSameType(other);
        }
        return new NumberExpression(
                first.type(), Operation.COALESCE, all(first, others), List.of());
    }

    /** The first that is not null; null if all are. */
    public static Condition coalesce(Condition first, Condition... others) {
        return new Condition(Operation.COALESCE, all(first, others), List.of());
    }

    /**
     * A choice: {@code when(condition).then(value).otherwise(other)}. Where the condition is null, the
     * other is taken.
     */
    public static When when(Condition condition) {
        return new When(Objects.requireNonNull(condition, "condition"));
    }

    /** A condition whose values are to be named. */
    public static final class When {

        private final Condition condition;

        private When(Condition condition) {
            this.condition = condition;
        }

        /** What the text is if the condition is true. */
        public Then<TextExpression> then(TextExpression value) {
            return new Then<>(
                    other ->
                            new TextExpression(
                                    Operation.WHEN, List.of(condition, value, other), List.of()));
        }

        /** What the number is if the condition is true. */
        public Then<NumberExpression> then(NumberExpression value) {
            return new Then<>(
                    other -> {
                        value.requireSameType(other);
                        return new NumberExpression(
                                value.type(),
                                Operation.WHEN,
                                List.of(condition, value, other),
                                List.of());
                    });
        }

        /** What the condition is if the other one is true. */
        public Then<Condition> then(Condition value) {
            return new Then<>(
                    other ->
                            new Condition(
                                    Operation.WHEN, List.of(condition, value, other), List.of()));
        }
    }

    /** A condition and the value where it is true. */
    public static final class Then<E extends Expression> {

        private final UnaryOperator<E> with;

        private Then(UnaryOperator<E> with) {
            this.with = with;
        }

        /** The value where the condition is false or null. */
        public E otherwise(E other) {
            return with.apply(Objects.requireNonNull(other, "other"));
        }
    }

    private static String columnName(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a column needs a name: name='" + name + "'");
        }
        return name;
    }

    /** Refuses what has no form in UTF-8. */
    static void requireUnicode(String name, String value) {
        int at = 0;
        while (at < value.length()) {
            int codePoint = value.codePointAt(at);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(
                        "a constant must be valid Unicode: %s has an unpaired surrogate at index %d"
                                .formatted(name, at));
            }
            at += Character.charCount(codePoint);
        }
    }

    private static List<Serializable> constant(Serializable value, ColumnType type) {
        // Not List.of, which refuses null.
        return Arrays.asList(value, type);
    }

    @SafeVarargs
    private static <E extends Expression> List<E> all(E first, E... others) {
        List<E> all = new ArrayList<>();
        all.add(Objects.requireNonNull(first, "first"));
        for (E other : others) {
            all.add(Objects.requireNonNull(other, "others"));
        }
        return all;
    }
}
