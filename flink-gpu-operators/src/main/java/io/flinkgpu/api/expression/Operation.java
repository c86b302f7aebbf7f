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
    COLUMN(Form.COLUMN, null),
    /** A constant. Arguments: the value (String, Long, Double, Boolean, or null), {@link ColumnType}. */
    LITERAL(Form.LITERAL, null),
    /** Its operands one after another. */
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
    /** Without the blanks at both ends. */
    TRIM,
    /** In upper case, code point by code point. */
    UPPER,
    /** In lower case, code point by code point. */
    LOWER,
    /** Arguments: what to look for, not empty; what to put in its place. */
    REPLACE,
    /** Operands: where, what. */
    CONTAINS,
    /** Operands: where, what. */
    STARTS_WITH(Form.CALL, "STARTSWITH"),
    /** Operands: where, what. */
    ENDS_WITH(Form.CALL, "ENDSWITH"),
    /** Two operands of one type. */
    EQUAL(Form.INFIX, "="),
    /** Two numbers of one type. */
    LESS(Form.INFIX, "<"),
    /** Whether it has no code points. */
    IS_EMPTY,
    /** Never null. */
    IS_NULL(Form.POSTFIX, "IS NULL"),
    /** How many code points it has. */
    LENGTH(Form.CALL, "CHAR_LENGTH"),
    /** Three-valued: false if one is false, else null if one is null. */
    AND(Form.INFIX, "AND"),
    /** Three-valued: true if one is true, else null if one is null. */
    OR(Form.INFIX, "OR"),
    /** Three-valued: null of null. */
    NOT(Form.PREFIX, "NOT"),
    /** Operands: condition, value if it is true, value if it is false or null. */
    WHEN(Form.CASE, null),
    /** The first operand that is not null, or null. */
    COALESCE,
    /** Arguments: regular expression that the whole text must match. */
    MATCHES,
    /** Arguments: {@link io.flinkgpu.api.RuleSet}. */
    REDACT,
    /** The keyed hash of the text, as {@code Action.Hash} writes it. No arguments. */
    HASH_HMAC;

    private final Form form;
    private final String word;

    /** A call of a function with the name of the constant. */
    Operation() {
        this.form = Form.CALL;
        this.word = name();
    }

    Operation(Form form, String word) {
        this.form = form;
        this.word = word;
    }

    /** How it is written. */
    Form form() {
        return form;
    }

    /** The name of the function, or the operator; null for other forms. */
    String word() {
        return word;
    }

    /** How SQL writes an operation. */
    enum Form {
        COLUMN,
        LITERAL,
        /** The word, its operands and arguments in parentheses. */
        CALL,
        INFIX,
        PREFIX,
        POSTFIX,
        CASE;

        /** Whether it is written in parentheses as an operand. */
        boolean isOperator() {
            return this == INFIX || this == PREFIX || this == POSTFIX;
        }
    }
}
