package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

/**
 * What becomes of the vectors of a bag. All arithmetic is of 32-bit floats, each operation rounded by itself, in
 * the order of the ids; with weights, each element is multiplied by that of its id first. A bag without vectors,
 * as it has no ids or all were skipped, gives zeros. A NaN that arithmetic gave is {@link Float#NaN}. The ordinals
 * are in the columns of plans.
 */
@PublicEvolving
public enum Combiner {

    /** The vectors, one after another; nothing for no vectors. */
    NONE,

    /** Their sum from +0.0, from left to right. */
    SUM,

    /** The sum divided by the number of vectors, whatever their weights. */
    MEAN,

    /**
     * The largest values: those of the first vector, each replaced by one that is greater. So a NaN of the first
     * vector stays, others never come, and of zeros the first stays.
     */
    MAX
}
