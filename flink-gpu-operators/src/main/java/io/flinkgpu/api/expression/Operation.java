package io.flinkgpu.api.expression;

import io.flinkgpu.api.ColumnType;

import org.apache.flink.annotation.PublicEvolving;

/**
 * What a node of an expression does. Operands are expressions, arguments are constants.
 *
 * <p>A null operand gives a null result, unless it says otherwise here.
 */
@PublicEvolving
public enum Operation {
    /** A column. Arguments: name, {@link ColumnType}. */
    COLUMN,
    /** A constant. Arguments: the value (String, Long, Double, Boolean, or null), {@link ColumnType}. */
    LITERAL,
    CONCAT,
    /** Arguments: first code point, from 1 on; how many, or {@code Integer.MAX_VALUE}. */
    SUBSTRING,
    /** Arguments: how many code points. */
    LEFT,
    /** Arguments: how many code points. */
    RIGHT,
    /** Arguments: separator. */
    BEFORE,
    /** Arguments: separator. */
    AFTER,
    /** Arguments: separator; which part, from 1 on. Null if there are fewer. */
    SPLIT_PART,
    TRIM,
    UPPER,
    LOWER,
    /** Arguments: what to look for, not empty; what to put in its place. */
    REPLACE,
    /** Operands: where, what. */
    CONTAINS,
    /** Operands: where, what. */
    STARTS_WITH,
    /** Operands: where, what. */
    ENDS_WITH,
    /** Two operands of one type. */
    EQUAL,
    /** Two numbers of one type. */
    LESS,
    IS_EMPTY,
    /** Never null. */
    IS_NULL,
    LENGTH,
    /** Three-valued: false if one is false, else null if one is null. */
    AND,
    /** Three-valued: true if one is true, else null if one is null. */
    OR,
    NOT,
    /** Operands: condition, value if it is true, value if it is false or null. */
    WHEN,
    /** The first operand that is not null, or null. */
    COALESCE,
    /** Arguments: regular expression that the whole text must match. */
    MATCHES,
    /** Arguments: {@link io.flinkgpu.api.RuleSet}. */
    REDACT,
    /** The keyed hash of the text, as {@code Action.Hash} writes it. No arguments. */
    HASH_HMAC
}
