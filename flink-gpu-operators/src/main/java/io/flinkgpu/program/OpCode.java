package io.flinkgpu.program;

/**
 * What an instruction does to one row. Texts are slices: where they start, how many bytes they have, or
 * that they are null. No instruction copies text. Registers are numbered from 0, apart for texts (t),
 * numbers (n) and conditions (c), and are written once; a condition is true, false or null.
 *
 * <p>A null operand gives a null result unless it says otherwise.
 */
public enum OpCode {
    /** t[to] = code points [number, number + count) of a, counted from 1. */
    SUBSTRING,
    /** t[to] = the first {@code count} code points of a. */
    LEFT,
    /** t[to] = the last {@code count} code points of a. */
    RIGHT,
    /** t[to], t[toSecond] = what is before and behind the first b in a; both a if it has none. */
    SPLIT,
    /** t[to] = the part of a with this number, from 1 on, parts being separated by b; null if none. */
    SPLIT_PART,
    /** t[to] = a without spaces (0x20) at both ends. */
    TRIM,
    /** t[to] = null. */
    NULL_TEXT,
    /** t[to] = c[condition] is true ? a : b. */
    SELECT_TEXT,
    /** t[to] = a, or b if a is null. */
    COALESCE_TEXT,
    /** c[to] = a and b have the same bytes. */
    EQUAL_TEXT,
    /** c[to] = a contains b. */
    CONTAINS,
    /** c[to] = a starts with b. */
    STARTS_WITH,
    /** c[to] = a ends with b. */
    ENDS_WITH,
    /** c[to] = a has no bytes. */
    IS_EMPTY,
    /** c[to] = a is null; never null. */
    IS_NULL_TEXT,
    /** c[to] = all of a matches automaton {@code count} of the pass. */
    MATCHES,
    /** n[to] = code points of a. */
    LENGTH,
    /** n[to] = number column {@code count} of the batch. */
    LOAD_NUMBER,
    /** n[to] = {@code number}, the bits of a double where it is one. */
    LITERAL_NUMBER,
    /** n[to] = null. */
    NULL_NUMBER,
    /** n[to] = c[condition] is true ? n[x] : n[y]. */
    SELECT_NUMBER,
    /** n[to] = n[x], or n[y] if that is null. */
    COALESCE_NUMBER,
    /** c[to] = n[x] == n[y], as 64-bit integers. */
    EQUAL_LONG,
    /** c[to] = n[x] < n[y], as 64-bit integers. */
    LESS_LONG,
    /** c[to] = n[x] == n[y], as doubles: NaN equals nothing. */
    EQUAL_DOUBLE,
    /** c[to] = n[x] < n[y], as doubles: never so with NaN. */
    LESS_DOUBLE,
    /** c[to] = n[x] is null; never null. */
    IS_NULL_NUMBER,
    /** c[to] = the boolean column {@code count} of the batch. */
    LOAD_CONDITION,
    /** c[to] = {@code number}: 0 false, 1 true, 2 null. */
    LITERAL_CONDITION,
    /** c[to] = c[x] and c[y], three-valued. */
    AND,
    /** c[to] = c[x] or c[y], three-valued. */
    OR,
    /** c[to] = not c[x], three-valued. */
    NOT,
    /** c[to] = c[x] is true; never null. */
    IS_TRUE,
    /** c[to] = c[x] is null; never null. */
    IS_NULL_CONDITION,
    /** c[to] = c[condition] is true ? c[x] : c[y]. */
    SELECT_CONDITION,
    /** c[to] = c[x], or c[y] if that is null. */
    COALESCE_CONDITION
}
