package io.flinkgpu.words;

import io.flinkgpu.api.ValueSpec;

import org.apache.flink.annotation.Internal;

/**
 * What a group keeps of a value. The words of two groups become those of both by an operation that
 * commutes and associates, so it does not matter how rows are cut into groups. In the order in which
 * they are laid out.
 */
@Internal
public enum Term {
    /** How many values are not null; added. */
    COUNT(0),
    /** The least value, an integer or a {@link io.flinkgpu.exact.DoubleOrder} long. */
    MIN(Long.MAX_VALUE),
    /** The greatest value, likewise. */
    MAX(Long.MIN_VALUE),
    /** Infinities and NaN, as the {@link io.flinkgpu.exact.BinaryGrid} names them; or. */
    SPECIALS(0),
    /**
     * The sum in bins, each added: of doubles in those of the {@link io.flinkgpu.exact.BinaryGrid}, of
     * integers in {@value WordLayout#INTEGER_BINS}, {@code bin 0 + 2^32 * bin 1}.
     */
    SUM(0),
    /**
     * The sum of squares in bins of the {@link io.flinkgpu.exact.SquareGrid}, each added: twice as many as
     * the sum's, of which the first is twice the sum's first.
     */
    SQUARES(0);

    private final long initial;

    Term(long initial) {
        this.initial = initial;
    }

    /** The word of no values. */
    public long initial() {
        return initial;
    }

    /** Whether a value's aggregates need it. */
    public boolean isKeptOf(ValueSpec value) {
        return switch (this) {
            case COUNT -> true;
            case MIN, MAX -> value.needsMinMax();
            case SPECIALS -> value.needsSum() && value.type().isFloating();
            case SUM -> value.needsSum();
            case SQUARES -> value.needsSquares();
        };
    }
}
