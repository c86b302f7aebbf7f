package io.flinkgpu.program;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * One step of a pass, the same for every row; see {@link OpCode} for which fields it uses. Unused ones
 * are 0 or null.
 *
 * @param to register written
 * @param toSecond register written second, or -1 where that result is not wanted; {@code SPLIT} only,
 *     whose {@code to} may be -1 as well
 * @param a text read
 * @param b text read second
 * @param x register read: number or condition
 * @param y register read second: number or condition
 * @param condition register that selects
 * @param count number of code points, part, column or automaton
 * @param number number of a code point, or a constant
 */
@Internal
public record Instruction(
        OpCode code,
        int to,
        int toSecond,
        Operand a,
        Operand b,
        int x,
        int y,
        int condition,
        int count,
        long number)
        implements Serializable {

    private static final long serialVersionUID = 1L;
}
