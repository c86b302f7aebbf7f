package io.flinkgpu.cells;

import org.apache.flink.annotation.Internal;

import java.util.Arrays;

/**
 * The bytes of a cell, or of what a row adds to one: in an array of another, or written to one of its own.
 * Not thread-safe.
 */
@Internal
public final class CellBytes {

    private static final byte[] NONE = {};

    private byte[] room = NONE;
    private byte[] array = NONE;
    private int at;
    private int length;

    /** The array, which is to be read only. */
    public byte[] array() {
        return array;
    }

    /** Where the bytes begin in it. */
    public int at() {
        return at;
    }

    /** How many there are; 0 if nothing is kept or added. */
    public int length() {
        return length;
    }

    /** Refers to bytes of an array, which is not copied. */
    public void set(byte[] bytes, int from, int count) {
        array = bytes;
        at = from;
        length = count;
    }

    /** Refers to the first bytes of an array of its own, which the caller fills. */
    public byte[] own(int count) {
        if (room.length < count) {
            room = Arrays.copyOf(room, Math.max(count, 2 * room.length));
        }
        set(room, 0, count);
        return room;
    }

    /** Adds a byte to those of its own; first call {@link #own}. */
    public void addByte(int value) {
        own(length + 1)[length - 1] = (byte) value;
    }

    /** Adds four bytes, the least first. */
    public void addInt(int value) {
        int end = length;
        HeapCell.INTS.set(own(end + Integer.BYTES), end, value);
    }

    /** Adds eight bytes, the least first. */
    public void addLong(long value) {
        int end = length;
        HeapCell.LONGS.set(own(end + Long.BYTES), end, value);
    }

    /** Adds the first bytes of an array. */
    public void add(byte[] bytes, int count) {
        int end = length;
        System.arraycopy(bytes, 0, own(end + count), end, count);
    }
}
