package io.flinkgpu.cells;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;

/**
 * How two cells become one, and what the result is. What a row adds is a cell too, of the same form.
 * The bytes of a cell depend on what was added alone, not on its order or how it was grouped: merging
 * commutes and associates. Immutable.
 */
@Internal
public interface CellFunction extends Serializable {

    /**
     * Whether bytes that were read from state are a cell, which {@link #merge} and {@link #result} do not ask.
     *
     * @param length at least 1
     */
    boolean isCell(byte[] bytes, int at, int length);

    /**
     * Adds the bytes of another cell, or of what a row adds.
     *
     * @param into may have no bytes yet; at no time made longer than {@link #mostBytes} says
     * @param more not changed
     * @param length at least 1
     */
    void merge(Cell into, byte[] more, int at, int length);

    /**
     * The most bytes that a cell may have while it is merged, or afterwards. The memory for them is there
     * before anything is changed, so merging never fails for lack of it.
     *
     * @param length of the cell, which may be 0
     * @param more of what is added
     */
    default int mostBytes(int length, int more) {
        return length + more;
    }

    /**
     * What a user is given.
     *
     * @param length at least 1
     */
    Object result(byte[] cell, int at, int length);
}
