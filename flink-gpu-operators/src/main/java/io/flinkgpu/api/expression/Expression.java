package io.flinkgpu.api.expression;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A value computed from the columns of a row: a tree of operations. Immutable; travels in the job
 * graph. Two expressions are equal if they compute the same in the same way, whatever they are named.
 */
@PublicEvolving
public abstract sealed class Expression implements Serializable
        permits TextExpression, NumberExpression, Condition {

    private static final long serialVersionUID = 1L;

    private static final int MAX_DEPTH = 200;
    private static final int MAX_OPERATIONS = 10_000;
    private static final int MAX_SHOWN_CHARS = 400;

    private final ColumnType type;
    private final Operation operation;
    private final ArrayList<Expression> operands;
    private final ArrayList<Serializable> arguments;
    private final int depth;
    private final int operations;

    /** Set at most once, before anyone else has the expression; null without one. */
    private String name;

    /** 0 until it is asked for; not the same in two JVMs. */
    private transient int hash;

    Expression(
            ColumnType type,
            Operation operation,
            List<? extends Expression> operands,
            List<? extends Serializable> arguments) {
        this.type = type;
        this.operation = operation;
        this.operands = new ArrayList<>(operands);
        this.arguments = new ArrayList<>(arguments);
        int deepest = 0;
        int count = 1;
        for (Expression operand : operands) {
            deepest = Math.max(deepest, operand.depth);
            count += operand.operations;
        }
        this.depth = deepest + 1;
        this.operations = count;
        requireAtMost("depth", depth, MAX_DEPTH);
        requireAtMost("operations", operations, MAX_OPERATIONS);
    }

    private static void requireAtMost(String what, int value, int max) {
        if (value > max) {
            throw new IllegalArgumentException(
                    "an expression is too large: %s=%d, at most %d; compute parts of it in a transform before"
                            .formatted(what, value, max));
        }
    }

    /** The type of the result. */
    public final ColumnType type() {
        return type;
    }

    /**
     * The same under a name, by which the result is found.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public abstract Expression as(String name);

    /** The name given with {@link #as}. */
    public final Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /** Names a new expression that nobody else has yet. */
    static <E extends Expression> E named(E copy, String name) {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) {
            throw Errors.argument(
                    "a result needs a name: name='%s', expression=%s", name, copy.shown());
        }
        ((Expression) copy).name = name;
        return copy;
    }

    /** A condition of this and other expressions, without constants. */
    final Condition condition(Operation what, Expression... others) {
        List<Expression> all = new ArrayList<>(List.of(others));
        all.add(0, this);
        return new Condition(what, all, List.of());
    }

    /** Whether it is null; never null. */
    public final Condition isNull() {
        return condition(Operation.IS_NULL);
    }

    /** What this node of the tree does. */
    public final Operation operation() {
        return operation;
    }

    /** What it does it to. */
    public final List<Expression> operands() {
        return Collections.unmodifiableList(operands);
    }

    /** Its constants; see {@link Operation} for what they are. */
    public final List<Serializable> arguments() {
        return Collections.unmodifiableList(arguments);
    }

    @Override
    public final boolean equals(Object other) {
        return this == other
                || other instanceof Expression that
                        && hashCode() == that.hashCode()
                        && operation == that.operation
                        && type == that.type
                        && operands.equals(that.operands)
                        && arguments.equals(that.arguments);
    }

    @Override
    public final int hashCode() {
        if (hash == 0) {
            hash = Objects.hash(operation, operands, arguments);
        }
        return hash;
    }

    /** The expression as SQL would write it, in one line. */
    @Override
    public final String toString() {
        return ExpressionText.of(this, Integer.MAX_VALUE);
    }

    /** {@link #toString} for an error message: of a long one the first part. */
    public final String shown() {
        return ExpressionText.of(this, MAX_SHOWN_CHARS);
    }
}
