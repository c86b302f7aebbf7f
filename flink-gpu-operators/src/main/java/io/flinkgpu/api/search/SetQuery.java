package io.flinkgpu.api.search;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;

/**
 * A set, and what is wanted of the documents whose sets are most like it. The best comes first: by {@link
 * Similarity}, and of those that are equally alike, the one with the smaller id. Immutable.
 */
@PublicEvolving
public final class SetQuery {

    private static final String WHAT = "query";

    private final int[] elements;
    private final int k;
    private final double minScore;
    private final boolean includesZero;
    private final int attributeMask;
    private final int attributeValue;

    /**
     * @param elements as {@link SetElements#sorted} gives them; not copied
     */
    SetQuery(
            int[] elements,
            int k,
            double minScore,
            boolean includesZero,
            int attributeMask,
            int attributeValue) {
        this.elements = elements;
        this.k = k;
        this.minScore = minScore;
        this.includesZero = includesZero;
        this.attributeMask = attributeMask;
        this.attributeValue = attributeValue;
    }

    /**
     * The best {@code k} of the documents that have at least one element in common with the query.
     *
     * @param k how many at most, at least 1; as fast as can be up to 1,024
     * @param elements unsigned, in any order; copied, and one that is there twice counts once
     * @throws IllegalArgumentException if {@code k} is less, or there are more than 1,024 elements
     */
    public static SetQuery of(int k, int... elements) {
        if (k < 1) {
            throw new BadSetException(
                    "a query asks for at least one document: k=%s; ask for more", k);
        }
        return new SetQuery(SetElements.sorted(WHAT, elements), k, 0, false, 0, 0);
    }

    /**
     * The same for elements from 0 to 4,294,967,295.
     *
     * @throws IllegalArgumentException also if an element is not in this range
     */
    public static SetQuery ofUnsigned(int k, long... elements) {
        return of(k, SetElements.ints(WHAT, elements));
    }

    /**
     * The same with documents only that are at least so much alike.
     *
     * @param minScore compared with {@link Similarity#score}
     * @throws IllegalArgumentException if it is NaN
     */
    public SetQuery withMinScore(double minScore) {
        if (Double.isNaN(minScore)) {
            throw new BadSetException("minScore is a number: minScore=NaN; use 0 for all");
        }
        return new SetQuery(elements, k, minScore, includesZero, attributeMask, attributeValue);
    }

    /** The same with documents that have nothing in common with the query, where others are too few. */
    public SetQuery withZero(boolean includesZero) {
        return new SetQuery(elements, k, minScore, includesZero, attributeMask, attributeValue);
    }

    /**
     * The same with documents only whose attributes have these bits.
     *
     * @param mask which bits count
     * @param value what they are; the other bits do not count
     */
    public SetQuery withAttributes(int mask, int value) {
        return new SetQuery(elements, k, minScore, includesZero, mask, value & mask);
    }

    /** In the order of unsigned numbers; not to be changed. */
    public int[] elements() {
        return elements;
    }

    /** How many documents are asked for. */
    public int k() {
        return k;
    }

    /** The least score of a document that is found. */
    public double minScore() {
        return minScore;
    }

    /** Whether documents without a common element are found, after all others. */
    public boolean includesZero() {
        return includesZero;
    }

    /** Which bits of a document's attributes are compared; 0 for none. */
    public int attributeMask() {
        return attributeMask;
    }

    /** What these bits have to be. */
    public int attributeValue() {
        return attributeValue;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SetQuery that
                && Arrays.equals(elements, that.elements)
                && k == that.k
                && Double.compare(minScore, that.minScore) == 0
                && includesZero == that.includesZero
                && attributeMask == that.attributeMask
                && attributeValue == that.attributeValue;
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(elements) + k;
    }

    /** Shows no elements. */
    @Override
    public String toString() {
        return "SetQuery{k=" + k + ", elements=" + elements.length + "}";
    }
}
