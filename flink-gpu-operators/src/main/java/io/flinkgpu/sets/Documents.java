package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

/**
 * Documents in slots from 0 on: their ids, attributes and elements, and of which changes of the corpus on
 * they are there, and up to which. Either all of them are narrow, or all are wide.
 *
 * <p>Arrays may be longer than what is in use; they are not to be changed by others.
 */
@Internal
public abstract sealed class Documents permits Tile, OpenTile {

    /** Of a document that is still there: when it {@link #died}. */
    public static final long LIVES = Long.MAX_VALUE;

    /** The most elements of a narrow document, and so what it may have in common with a query. */
    public static final int NARROW_ELEMENTS = 255;

    private static final long DOCUMENT_BYTES = 3L * Long.BYTES + 2L * Integer.BYTES;

    private final int number;

    long[] ids;
    int[] attributes;
    long[] born;
    long[] died;
    int[] starts;

    /** Of narrow documents; else null. */
    short[] numbers;

    /** Of wide documents; else null. */
    int[] elements;

    int documents;
    int live;

    /** The change that made the newest document. */
    long newest;

    int smallest;
    int largest;

    Documents(int number, boolean isNarrow, int documentRoom, int elementRoom) {
        this.number = number;
        ids = new long[documentRoom];
        attributes = new int[documentRoom];
        born = new long[documentRoom];
        died = new long[documentRoom];
        starts = new int[documentRoom + 1];
        if (isNarrow) {
            numbers = new short[elementRoom];
        } else {
            elements = new int[elementRoom];
        }
    }

    /** No documents, in the arrays of others. */
    Documents(int number, Documents spent) {
        this.number = number;
        ids = spent.ids;
        attributes = spent.attributes;
        born = spent.born;
        died = spent.died;
        starts = spent.starts;
        numbers = spent.numbers;
        elements = spent.elements;
    }

    /** Which one it is of all that the corpus ever had, from 1 on; never changes and never returns. */
    public final int number() {
        return number;
    }

    /** Whether the elements are {@link #numbers}. */
    public final boolean isNarrow() {
        return numbers != null;
    }

    /** How many slots are in use, some of them by documents that are no longer there. */
    public final int documents() {
        return documents;
    }

    /** How many of the documents are still there. */
    public final int live() {
        return live;
    }

    /** The fewest elements that a document has; 0 if there is none. */
    public final int smallest() {
        return smallest;
    }

    /** The most elements that a document has; 0 if there is none. */
    public final int largest() {
        return largest;
    }

    /** How many elements a document has. */
    public final int size(int slot) {
        return starts[slot + 1] - starts[slot];
    }

    /** How many elements all documents have. */
    public final int allElements() {
        return starts[documents];
    }

    /** Whether the first so many changes of the corpus leave a document there. */
    public final boolean isVisible(int slot, long version) {
        return born[slot] <= version && version < died[slot];
    }

    /** Whether the first so many changes of the corpus leave all documents there. */
    public final boolean areAllVisible(long version) {
        return live == documents && newest <= version;
    }

    /** By slot. */
    public final long[] ids() {
        return ids;
    }

    /** By slot. */
    public final int[] attributes() {
        return attributes;
    }

    /** By slot: the change that made the document; the corpus' first change is number 1. */
    public final long[] born() {
        return born;
    }

    /** By slot: the change that took the document away, or {@link #LIVES}. */
    public final long[] died() {
        return died;
    }

    /** By slot: where a document's elements start; the next slot's is where they end. */
    public final int[] starts() {
        return starts;
    }

    /** The {@link ElementNumbers} of all narrow documents, unsigned, each document's in any order. */
    public final short[] numbers() {
        return numbers;
    }

    /** The elements of all wide documents, each document's in the order of unsigned numbers. */
    public final int[] elements() {
        return elements;
    }

    /** The memory of the arrays. */
    public long bytes() {
        return ids.length * DOCUMENT_BYTES
                + (isNarrow()
                        ? (long) Short.BYTES * numbers.length
                        : (long) Integer.BYTES * elements.length);
    }

    /** The slot of a document that {@link Places} say is at a slot. */
    int slotNow(int slot) {
        return slot;
    }

    /** A change takes a document away that was there. */
    final void die(int slot, long change) {
        died[slot] = change;
        live--;
    }

    /** The same for a document of a tile that may have been merged: its place by then. */
    long dieNow(int slot, long change) {
        die(slot, change);
        return Places.place(number, slot);
    }
}
