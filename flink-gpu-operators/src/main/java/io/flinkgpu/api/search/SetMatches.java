package io.flinkgpu.api.search;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;

/** What was found for one query, the best first. Immutable. */
@PublicEvolving
public final class SetMatches {

    private final Similarity similarity;
    private final int querySize;
    private final long[] ids;
    private final int[] common;
    private final int[] sizes;

    /**
     * @param querySize elements of the query
     * @param ids of the documents; this and the next two are the object's from here on, and equally long
     * @param common how many elements each has in common with the query
     * @param sizes how many elements each has
     */
    public SetMatches(Similarity similarity, int querySize, long[] ids, int[] common, int[] sizes) {
        this.similarity = similarity;
        this.querySize = querySize;
        this.ids = ids;
        this.common = common;
        this.sizes = sizes;
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
        return common[index];
    }

    /** How many elements a document has. */
    public int size(int index) {
        return sizes[index];
    }

    /** How alike a document and the query are, rounded once. */
    public double score(int index) {
        return similarity.score(common[index], querySize, sizes[index]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SetMatches that
                && similarity == that.similarity
                && querySize == that.querySize
                && Arrays.equals(ids, that.ids)
                && Arrays.equals(common, that.common)
                && Arrays.equals(sizes, that.sizes);
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
            text.append(':').append(common[i]).append(':').append(sizes[i]);
        }
        return text.append(']').toString();
    }
}
