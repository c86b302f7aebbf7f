package io.flinkgpu.api.expression;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/** A 64-bit integer or a double. A null number gives a null result unless a method says otherwise. */
@PublicEvolving
public final class NumberExpression extends Expression {

    private static final long serialVersionUID = 1L;

    NumberExpression(
            ColumnType type,
            Operation operation,
            List<? extends Expression> operands,
            List<? extends Serializable> arguments) {
        super(type, operation, operands, arguments);
    }

    @Override
    public NumberExpression as(String name) {
        return named(new NumberExpression(type(), operation(), operands(), arguments()), name);
    }

    /** Whether it is this number. */
    public Condition equalTo(long value) {
        return equalTo(literal(value));
    }

    /** Equal as numbers: 0.0 equals -0.0, and NaN equals nothing. */
    public Condition equalTo(NumberExpression other) {
        return compare(Operation.EQUAL, this, other);
    }

    /** Whether it is less than this number. */
    public Condition lessThan(long value) {
        return lessThan(literal(value));
    }

    /** Never so with NaN. */
    public Condition lessThan(NumberExpression other) {
        return compare(Operation.LESS, this, other);
    }

    /** Whether it is greater than this number. */
    public Condition greaterThan(long value) {
        return greaterThan(literal(value));
    }

    /** Never so with NaN. */
    public Condition greaterThan(NumberExpression other) {
        return compare(Operation.LESS, other, this);
    }

    void requireSameType(NumberExpression other) {
        Objects.requireNonNull(other, "other");
        if (type() != other.type()) {
            throw new IllegalArgumentException(
                    "numbers must be of one type: "
                            + shown()
                            + " is "
                            + type()
                            + ", "
                            + other.shown()
                            + " is "
                            + other.type()
                            + "; use longCol(..) and lit(1), or doubleCol(..) and lit(1.0), for"
                            + " both");
        }
    }

    private NumberExpression literal(long value) {
        return type() == ColumnType.DOUBLE
                ? Expressions.lit((double) value)
                : Expressions.lit(value);
    }

    private static Condition compare(
            Operation operation, NumberExpression left, NumberExpression right) {
        Errors.present("other", left);
        left.requireSameType(right);
        return left.condition(operation, right);
    }
}
