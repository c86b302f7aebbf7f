package io.flinkgpu.api.search;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;
import java.util.Objects;

/** What was found for one query, the best first. Immutable. */
@PublicEvolving
public final class SetMatches {

    private final Similarity similarity;
    private final int querySize;
    private final long[] ids;

    /** What {@link #pair} gives of each document. */
    private final int[] pairs;

    /**
     * @param querySize elements of the query
     * @param ids of the documents, which is the object's from here on; this and the next two are equally long
     * @param common how many elements each has in common with the query; sets have at most 1,024
     * @param sizes how many elements each has
     * @throws IllegalArgumentException if a number is negative or above 65,535
     */
    public SetMatches(Similarity similarity, int querySize, long[] ids, int[] common, int[] sizes) {
        this(similarity, querySize, ids, pairs(common, sizes));
    }

    private SetMatches(Similarity similarity, int querySize, long[] ids, int[] pairs) {
        this.similarity = similarity;
        this.querySize = querySize;
        this.ids = ids;
        this.pairs = pairs;
    }

    /**
     * The same of pairs.
     *
     * @param pairs of each document what {@link #pair} gives; the object's from here on
     */
    @Internal
    public static SetMatches ofPairs(
            Similarity similarity, int querySize, long[] ids, int[] pairs) {
        return new SetMatches(similarity, querySize, ids, pairs);
    }

    /**
     * Two numbers below 65,536 in one.
     *
     * @param common how many elements a document and its query have in common
     * @param size how many elements a document has
     */
    @Internal
    public static int pair(int common, int size) {
        return size << Character.SIZE | common;
    }

    private static int[] pairs(int[] common, int[] sizes) {
        Objects.requireNonNull(common, "common");
        Objects.requireNonNull(sizes, "sizes");
        int[] pairs = new int[common.length];
        for (int i = 0; i < pairs.length; i++) {
            if ((common[i] | sizes[i]) >>> Character.SIZE != 0) {
                throw Errors.argument(
                        "a document and its query have at most %s elements: common=%s, size=%s;"
                                + " give what was found",
                        SetElements.MAX, common[i], sizes[i]);
            }
            pairs[i] = pair(common[i], sizes[i]);
        }
        return pairs;
    }

    /** What scores are of. */
    public Similarity similarity() {
        return similarity;
    }

    /** How many different elements the query has. */
    public int querySize() {
        return querySize;
    }

    /** How many documents were found. */
    public int count() {
        return ids.length;
    }

    /** The id of a document; 0 is the best one. */
    public long id(int index) {
        return ids[index];
    }

    /** How many elements a document and the query have in common. */
    public int common(int index) {
        return pairs[index] & Character.MAX_VALUE;
    }

    /** How many elements a document has. */
    public int size(int index) {
        return pairs[index] >>> Character.SIZE;
    }

    /** How alike a document and the query are, rounded once. */
    public double score(int index) {
        return similarity.score(common(index), querySize, size(index));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SetMatches that
                && similarity == that.similarity
                && querySize == that.querySize
                && Arrays.equals(ids, that.ids)
                && Arrays.equals(pairs, that.pairs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ids);
    }

    /** {@code id:common:size} of each. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < ids.length; i++) {
            text.append(i == 0 ? "" : " ").append(ids[i]);
            text.append(':').append(common(i)).append(':').append(size(i));
        }
        return text.append(']').toString();
    }
}
