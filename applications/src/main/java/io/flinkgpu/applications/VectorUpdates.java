package io.flinkgpu.applications;

import org.apache.flink.api.common.functions.MapFunction;

/** Made-up changes by number, of frequent vectors more often than of others. */
final class VectorUpdates implements MapFunction<Long, VectorUpdate> {

    private static final long serialVersionUID = 1L;

    private final ClickTables tables;

    VectorUpdates(ClickTables tables) {
        this.tables = tables;
    }

    @Override
    public VectorUpdate map(Long number) {
        long bits = SplitMix.mix(~number);
        int table = (int) Long.remainderUnsigned(bits, ClickTables.COUNT);
        long id = tables.drawn(table, SplitMix.mix(bits));
        return new VectorUpdate(table, id, tables.vector(id, number + 1));
    }
}
