package io.flinkgpu.cells;

import org.apache.flink.annotation.Internal;

/**
 * Bytes of one group, which may become more or fewer; on the heap or off it. Places count from 0 and are
 * not checked. Not thread-safe.
 */
@Internal
public interface Cell {

    /** How many bytes there are; 0 if nothing was added yet. */
    int length();

    /**
     * Makes the cell longer or shorter. The first bytes stay, as many as both lengths have; those after
     * them may be anything.
     */
    void resize(int length);

    byte getByte(int at);

    void putByte(int at, byte value);

    /** Four bytes, the least first; at any place. */
    int getInt(int at);

    /** Eight bytes, the least first; at any place. */
    long getLong(int at);

    /** Likewise. */
    void putLong(int at, long value);

    /** Copies bytes out of the cell. */
    void get(int at, byte[] to, int toAt, int length);

    /** Copies bytes into the cell. */
    void put(int at, byte[] from, int fromAt, int length);
}
