package io.flinkgpu.api.expression;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * A text. Positions and lengths count code points, from 1 on; a byte that is not part of valid UTF-8
 * counts as one. A null text gives a null result unless a method says otherwise.
 */
@PublicEvolving
public final class TextExpression extends Expression {

    private static final long serialVersionUID = 1L;

    TextExpression(
            Operation operation,
            List<? extends Expression> operands,
            List<? extends Serializable> arguments) {
        super(ColumnType.TEXT, operation, operands, arguments);
    }

    @Override
    public TextExpression as(String name) {
        return named(new TextExpression(operation(), operands(), arguments()), name);
    }

    /** From a code point on, to the end. */
    public TextExpression substring(int from) {
        return substring(from, Integer.MAX_VALUE);
    }

    /**
     * Some code points.
     *
     * @param from number of the first, at least 1
     * @param count how many at most, at least 1
     */
    public TextExpression substring(int from, int count) {
        return text(
                Operation.SUBSTRING,
                atLeastOne("substring", "from", from),
                atLeastOne("substring", "count", count));
    }

    /** The first code points. */
    public TextExpression left(int count) {
        return text(Operation.LEFT, atLeastOne("left", "count", count));
    }

    /** The last code points. */
    public TextExpression right(int count) {
        return text(Operation.RIGHT, atLeastOne("right", "count", count));
    }

    /** What is before the first separator; all where there is none. */
    public TextExpression before(String separator) {
        return text(Operation.BEFORE, notEmpty("before", "separator", separator));
    }

    /** What is behind the first separator; all where there is none. */
    public TextExpression after(String separator) {
        return text(Operation.AFTER, notEmpty("after", "separator", separator));
    }

    /**
     * One of the parts that a separator separates; null where there are fewer.
     *
     * @param number of the part, at least 1
     */
    public TextExpression splitPart(String separator, int number) {
        return text(
                Operation.SPLIT_PART,
                notEmpty("splitPart", "separator", separator),
                atLeastOne("splitPart", "number", number));
    }

    /** Without spaces (U+0020) at both ends. */
    public TextExpression trim() {
        return text(Operation.TRIM);
    }

    /** Each code point in upper case, by Unicode's simple mapping. */
    public TextExpression upper() {
        return text(Operation.UPPER);
    }

    /** Each code point in lower case, by Unicode's simple mapping. */
    public TextExpression lower() {
        return text(Operation.LOWER);
    }

    /** All occurrences of a literal text, from left to right, replaced by another. */
    public TextExpression replace(String what, String with) {
        Objects.requireNonNull(with, "with");
        Expressions.requireUnicode("with", with);
        return text(Operation.REPLACE, notEmpty("replace", "what", what), with);
    }

    /** Whether a text is somewhere in it; an empty one is in each. */
    public Condition contains(String what) {
        return contains(Expressions.lit(Objects.requireNonNull(what, "what")));
    }

    /** Whether another text is somewhere in it; null if either is null. */
    public Condition contains(TextExpression what) {
        return condition(Operation.CONTAINS, Objects.requireNonNull(what, "what"));
    }

    /** Whether it starts with a text; each starts with an empty one. */
    public Condition startsWith(String what) {
        return startsWith(Expressions.lit(Objects.requireNonNull(what, "what")));
    }

    /** Whether it starts with another text; null if either is null. */
    public Condition startsWith(TextExpression what) {
        return condition(Operation.STARTS_WITH, Objects.requireNonNull(what, "what"));
    }

    /** Whether it ends with a text; each ends with an empty one. */
    public Condition endsWith(String what) {
        return endsWith(Expressions.lit(Objects.requireNonNull(what, "what")));
    }

    /** Whether it ends with another text; null if either is null. */
    public Condition endsWith(TextExpression what) {
        return condition(Operation.ENDS_WITH, Objects.requireNonNull(what, "what"));
    }

    /** Whether it is this text, byte by byte. */
    public Condition equalTo(String what) {
        return equalTo(Expressions.lit(Objects.requireNonNull(what, "what")));
    }

    /** Whether it is the same as another text, byte by byte; null if either is null. */
    public Condition equalTo(TextExpression what) {
        return condition(Operation.EQUAL, Objects.requireNonNull(what, "what"));
    }

    /** Whether it has no code points. */
    public Condition isEmpty() {
        return condition(Operation.IS_EMPTY);
    }

    /** How many code points it has. */
    public NumberExpression length() {
        return new NumberExpression(ColumnType.LONG, Operation.LENGTH, List.of(this), List.of());
    }

    /**
     * Whether all of it matches a regular expression of the syntax that rules have; bytes that are not
     * valid UTF-8 match nothing.
     */
    public Condition matches(String regex) {
        Expressions.requireUnicode("regex", Objects.requireNonNull(regex, "regex"));
        return new Condition(Operation.MATCHES, List.of(this), List.of(regex));
    }

    /** With what these rules find replaced. Actions that hash need a key in the options. */
    public TextExpression redact(RuleSet rules) {
        return text(Operation.REDACT, Objects.requireNonNull(rules, "rules"));
    }

    /** The keyed hash of all of it, as {@code Action.Hash} writes it; needs a key in the options. */
    public TextExpression hashHmac() {
        return text(Operation.HASH_HMAC);
    }

    private TextExpression text(Operation operation, Serializable... arguments) {
        return new TextExpression(operation, List.of(this), List.of(arguments));
    }

    private int atLeastOne(String method, String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "%s counts from 1: %s=%d, of expression=%s"
                            .formatted(method, name, value, shown()));
        }
        return value;
    }

    private String notEmpty(String method, String name, String value) {
        Objects.requireNonNull(value, name);
        if (value.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s looks for at least one character: %s='', in expression=%s"
                            .formatted(method, name, shown()));
        }
        Expressions.requireUnicode(name, value);
        return value;
    }
}
