package io.flinkgpu.api.expression;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/** True, false or null. */
public final class Condition extends Expression {

    private static final long serialVersionUID = 1L;

    Condition(
            Operation operation,
            List<? extends Expression> operands,
            List<? extends Serializable> arguments) {
        this(operation, operands, arguments, null);
    }

    private Condition(
            Operation operation,
            List<? extends Expression> operands,
            List<? extends Serializable> arguments,
            String name) {
        super(operation, operands, arguments, name);
    }

    @Override
    public ColumnType type() {
        return ColumnType.BOOLEAN;
    }

    @Override
    public Condition as(String name) {
        return new Condition(operation(), operands(), arguments(), requireName(name));
    }

    /** False if one is false, else null if one is null. */
    public Condition and(Condition other) {
        return new Condition(
                Operation.AND, List.of(this, Objects.requireNonNull(other, "other")), List.of());
    }

    /** True if one is true, else null if one is null. */
    public Condition or(Condition other) {
        return new Condition(
                Operation.OR, List.of(this, Objects.requireNonNull(other, "other")), List.of());
    }

    public Condition not() {
        return new Condition(Operation.NOT, List.of(this), List.of());
    }

    /** Whether it is null; never null. */
    public Condition isNull() {
        return new Condition(Operation.IS_NULL, List.of(this), List.of());
    }
}
