package io.flinkgpu.api.dense;

import org.apache.flink.annotation.PublicEvolving;

/** What a layer of a {@link DenseBuilder} gives: so many numbers a row. */
@PublicEvolving
public final class DenseValue {

    final DenseBuilder owner;
    final int index;
    private final int width;

    DenseValue(DenseBuilder owner, int index, int width) {
        this.owner = owner;
        this.index = index;
        this.width = width;
    }

    /** How many numbers a row it has. */
    public int width() {
        return width;
    }
}
