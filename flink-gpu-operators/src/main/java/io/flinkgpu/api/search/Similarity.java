package io.flinkgpu.api.search;

import org.apache.flink.annotation.PublicEvolving;

/**
 * How alike two sets are: a fraction from 0 to 1 of the number of common elements {@code c} and the sizes of
 * both, {@code q} of the query's set and {@code d} of the document's. With nothing in common it is 0, also
 * where both are empty. Fractions are compared as such, never as rounded numbers.
 */
@PublicEvolving
public enum Similarity {
    /** {@code c / max(q, d)}. */
    MAX,

    /** {@code c / (q + d - c)}: what is common of all that is in either set. */
    JACCARD,

    /** {@code 2 c / (q + d)}. */
    DICE,

    /** {@code c / q}: how much of the query is in the document. */
    CONTAINMENT,

    /** {@code c / min(q, d)}. */
    OVERLAP;

    /** What is above the line. */
    public int numerator(int common, int querySize, int documentSize) {
        return this == DICE ? 2 * common : common;
    }

    /** What is below the line; 0 only if there is nothing in common. */
    public int denominator(int common, int querySize, int documentSize) {
        return switch (this) {
            case MAX -> Math.max(querySize, documentSize);
            case JACCARD -> querySize + documentSize - common;
            case DICE -> querySize + documentSize;
            case CONTAINMENT -> querySize;
            case OVERLAP -> Math.min(querySize, documentSize);
        };
    }

    /** The fraction, rounded once. */
    public double score(int common, int querySize, int documentSize) {
        return common == 0
                ? 0
                : (double) numerator(common, querySize, documentSize)
                        / denominator(common, querySize, documentSize);
    }
}
