package io.flinkgpu.api.search;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;

/** A change of one document: it gets a set, in place of an earlier one, or is deleted. Immutable. */
@PublicEvolving
public final class SetChange {

    private static final String WHAT = "document";

    private final long id;
    private final int[] elements;
    private final int attributes;

    private SetChange(long id, int[] elements, int attributes) {
        this.id = id;
        this.elements = elements;
        this.attributes = attributes;
    }

    /**
     * Inserts a document, or replaces it, attributes included.
     *
     * @param elements unsigned, in any order, or none; copied, and one that is there twice counts once
     * @throws IllegalArgumentException if there are more than 1,024
     */
    public static SetChange upsert(long id, int... elements) {
        return new SetChange(id, SetElements.sorted(WHAT, elements), 0);
    }

    /**
     * The same for elements from 0 to 4,294,967,295.
     *
     * @throws IllegalArgumentException also if an element is not in this range
     */
    public static SetChange upsertUnsigned(long id, long... elements) {
        return upsert(id, SetElements.ints(WHAT, elements));
    }

    /** Deletes a document; nothing if there is none with this id. */
    public static SetChange delete(long id) {
        return new SetChange(id, null, 0);
    }

    /** The same with attributes, of which queries may ask for some; a deleted document has none. */
    public SetChange withAttributes(int attributes) {
        return new SetChange(id, elements, isDelete() ? 0 : attributes);
    }

    /** Of the document, with a sign: the smaller comes first where two are equally alike. */
    public long id() {
        return id;
    }

    /** Whether the document is taken out, if it is there. */
    public boolean isDelete() {
        return elements == null;
    }

    /** In the order of unsigned numbers; not to be changed. Null for a deleted document. */
    public int[] elements() {
        return elements;
    }

    /** 32 bits that queries may filter by; 0 unless set. */
    public int attributes() {
        return attributes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SetChange that
                && id == that.id
                && attributes == that.attributes
                && Arrays.equals(elements, that.elements);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(id) + Arrays.hashCode(elements);
    }

    /** Shows neither id nor elements. */
    @Override
    public String toString() {
        return isDelete() ? "SetChange{delete}" : "SetChange{elements=" + elements.length + "}";
    }
}
