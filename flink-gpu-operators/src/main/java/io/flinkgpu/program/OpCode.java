package io.flinkgpu.program;

import io.flinkgpu.api.expression.Operation;

import org.apache.flink.annotation.Internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an instruction does to one row. Texts are slices: where they start, how many bytes they have, or
 * that they are null. No instruction copies text. Registers are numbered from 0, apart for texts (t),
 * numbers (n) and conditions (c), and are written once; a condition is true, false or null.
 *
 * <p>A null operand gives a null result unless it says otherwise.
 */
@Internal
public enum OpCode {
    /** t[to] = code points [number, number + count) of a, counted from 1. */
    SUBSTRING(Operation.SUBSTRING, Bank.TEXT, Field.TEXT_A, Field.POSITION, Field.COUNT),
    /** t[to] = the first {@code count} code points of a. */
    LEFT(Operation.LEFT, Bank.TEXT, Field.TEXT_A, Field.COUNT),
    /** t[to] = the last {@code count} code points of a. */
    RIGHT(Operation.RIGHT, Bank.TEXT, Field.TEXT_A, Field.COUNT),
    /** t[to], t[toSecond] = what is before and after the first b in a; both a if it has none. */
    SPLIT(Bank.TEXT, Field.TEXT_A, Field.SEPARATOR),
    /** t[to] = the part of a with this number, from 1 on, parts being separated by b; null if none. */
    SPLIT_PART(Operation.SPLIT_PART, Bank.TEXT, Field.TEXT_A, Field.SEPARATOR, Field.COUNT),
    /** t[to] = a without spaces (0x20) at both ends. */
    TRIM(Operation.TRIM, Bank.TEXT, Field.TEXT_A),
    /** t[to] = null. */
    NULL_TEXT(Bank.TEXT),
    /** t[to] = c[condition] is true ? a : b. */
    SELECT_TEXT(Bank.TEXT, Field.SELECTOR, Field.TEXT_A, Field.TEXT_B),
    /** t[to] = a, or b if a is null. */
    COALESCE_TEXT(Bank.TEXT, Field.TEXT_A, Field.TEXT_B),
    /** c[to] = a and b have the same bytes. */
    EQUAL_TEXT(Bank.CONDITION, Field.TEXT_A, Field.TEXT_B),
    /** c[to] = a contains b. */
    CONTAINS(Operation.CONTAINS, Bank.CONDITION, Field.TEXT_A, Field.TEXT_B),
    /** c[to] = a starts with b. */
    STARTS_WITH(Operation.STARTS_WITH, Bank.CONDITION, Field.TEXT_A, Field.TEXT_B),
    /** c[to] = a ends with b. */
    ENDS_WITH(Operation.ENDS_WITH, Bank.CONDITION, Field.TEXT_A, Field.TEXT_B),
    /** c[to] = a has no bytes. */
    IS_EMPTY(Operation.IS_EMPTY, Bank.CONDITION, Field.TEXT_A),
    /** c[to] = a is null; never null. */
    IS_NULL_TEXT(Bank.CONDITION, Field.TEXT_A),
    /** c[to] = all of a matches automaton {@code count} of the pass. */
    MATCHES(Operation.MATCHES, Bank.CONDITION, Field.TEXT_A, Field.AUTOMATON),
    /** n[to] = code points of a. */
    LENGTH(Operation.LENGTH, Bank.NUMBER, Field.TEXT_A),
    /** n[to] = number column {@code count} of the batch. */
    LOAD_NUMBER(Bank.NUMBER, Field.COLUMN),
    /** n[to] = {@code number}, the bits of a double where it is one. */
    LITERAL_NUMBER(Bank.NUMBER, Field.WORD),
    /** n[to] = null. */
    NULL_NUMBER(Bank.NUMBER),
    /** n[to] = c[condition] is true ? n[x] : n[y]. */
    SELECT_NUMBER(Bank.NUMBER, Field.SELECTOR, Field.NUMBER_X, Field.NUMBER_Y),
    /** n[to] = n[x], or n[y] if that is null. */
    COALESCE_NUMBER(Bank.NUMBER, Field.NUMBER_X, Field.NUMBER_Y),
    /** c[to] = n[x] == n[y], as 64-bit integers. */
    EQUAL_LONG(Bank.CONDITION, Field.NUMBER_X, Field.NUMBER_Y),
    /** {@code c[to] = n[x] < n[y]}, as 64-bit integers. */
    LESS_LONG(Bank.CONDITION, Field.NUMBER_X, Field.NUMBER_Y),
    /** c[to] = n[x] == n[y], as doubles: NaN equals nothing. */
    EQUAL_DOUBLE(Bank.CONDITION, Field.NUMBER_X, Field.NUMBER_Y),
    /** {@code c[to] = n[x] < n[y]}, as doubles: never so with NaN. */
    LESS_DOUBLE(Bank.CONDITION, Field.NUMBER_X, Field.NUMBER_Y),
    /** c[to] = n[x] is null; never null. */
    IS_NULL_NUMBER(Bank.CONDITION, Field.NUMBER_X),
    /** c[to] = the boolean column {@code count} of the batch. */
    LOAD_CONDITION(Bank.CONDITION, Field.COLUMN),
    /** c[to] = {@code number}: 0 false, 1 true, 2 null. */
    LITERAL_CONDITION(Bank.CONDITION, Field.TRUTH),
    /** c[to] = c[x] and c[y], three-valued. */
    AND(Bank.CONDITION, Field.CONDITION_X, Field.CONDITION_Y),
    /** c[to] = c[x] or c[y], three-valued. */
    OR(Bank.CONDITION, Field.CONDITION_X, Field.CONDITION_Y),
    /** c[to] = not c[x], three-valued. */
    NOT(Bank.CONDITION, Field.CONDITION_X),
    /** c[to] = c[x] is true; never null. */
    IS_TRUE(Bank.CONDITION, Field.CONDITION_X),
    /** c[to] = c[x] is null; never null. */
    IS_NULL_CONDITION(Bank.CONDITION, Field.CONDITION_X),
    /** c[to] = c[condition] is true ? c[x] : c[y]. */
    SELECT_CONDITION(Bank.CONDITION, Field.SELECTOR, Field.CONDITION_X, Field.CONDITION_Y),
    /** c[to] = c[x], or c[y] if that is null. */
    COALESCE_CONDITION(Bank.CONDITION, Field.CONDITION_X, Field.CONDITION_Y);

    private static final Map<Operation, OpCode> OF_OPERATIONS =
            Stream.of(values())
                    .filter(code -> code.operation != null)
                    .collect(Collectors.toUnmodifiableMap(code -> code.operation, code -> code));

    private final Operation operation;
    private final Bank bank;
    private final List<Field> fields;

    OpCode(Bank bank, Field... fields) {
        this(null, bank, fields);
    }

    /**
     * @param operation that is this instruction: its operands are the texts, and its arguments the other
     *     fields, in order; null if none is
     */
    OpCode(Operation operation, Bank bank, Field... fields) {
        this.operation = operation;
        this.bank = bank;
        this.fields = List.of(fields);
    }

    /** The instruction that an operation is; nothing for one that is made of others. */
    static Optional<OpCode> of(Operation operation) {
        return Optional.ofNullable(OF_OPERATIONS.get(operation));
    }

    /** Whether it gives the same of a text in upper and lower case: the same places, or answer. */
    boolean ignoresCase() {
        return this == SUBSTRING
                || this == LEFT
                || this == RIGHT
                || this == TRIM
                || this == IS_EMPTY
                || this == LENGTH;
    }

    /** What kind of registers the instruction writes. */
    public Bank bank() {
        return bank;
    }

    /** The fields of the instruction that it uses, in the order in which a person reads them. */
    public List<Field> fields() {
        return fields;
    }

    /** Whether the condition that it gives is true or false whatever it reads. */
    public boolean isNeverNull() {
        return this == IS_NULL_TEXT
                || this == IS_NULL_NUMBER
                || this == IS_NULL_CONDITION
                || this == IS_TRUE;
    }

    public boolean uses(Field field) {
        return fields.contains(field);
    }

    /** What kind of register holds a value. */
    public enum Bank {
        TEXT,
        NUMBER,
        CONDITION
    }

    /** A field of an {@link Instruction}, and what it stands for. */
    public enum Field {
        /** {@code a}. */
        TEXT_A,
        /** {@code b}. */
        TEXT_B,
        /** {@code b}, a constant that is searched for. */
        SEPARATOR,
        /** {@code x}, a register of a number. */
        NUMBER_X,
        /** {@code y}, a register of a number. */
        NUMBER_Y,
        /** {@code x}, a register of a condition. */
        CONDITION_X,
        /** {@code y}, a register of a condition. */
        CONDITION_Y,
        /** {@code condition}, the register that selects. */
        SELECTOR,
        /** {@code count}, as such. */
        COUNT,
        /** {@code count}, a column that is no text. */
        COLUMN,
        /** {@code count}, an automaton of the pass. */
        AUTOMATON,
        /** {@code number}, of a code point. */
        POSITION,
        /** {@code number}, a constant. */
        WORD,
        /** {@code number}, a constant condition. */
        TRUTH
    }
}
