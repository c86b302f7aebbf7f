package io.flinkgpu.api.expression;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/** True, false or null. */
@PublicEvolving
public final class Condition extends Expression {

    private static final long serialVersionUID = 1L;

    Condition(
            Operation operation,
            List<? extends Expression> operands,
            List<? extends Serializable> arguments) {
        super(ColumnType.BOOLEAN, operation, operands, arguments);
    }

    @Override
    public Condition as(String name) {
        return named(new Condition(operation(), operands(), arguments()), name);
    }

    /** False if one is false, else null if one is null. */
    public Condition and(Condition other) {
        return condition(Operation.AND, Objects.requireNonNull(other, "other"));
    }

    /** True if one is true, else null if one is null. */
    public Condition or(Condition other) {
        return condition(Operation.OR, Objects.requireNonNull(other, "other"));
    }

    /** True if it is false; null if it is null. */
    public Condition not() {
        return condition(Operation.NOT);
    }
}
