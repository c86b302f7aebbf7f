package io.flinkgpu.operator.window;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.state.ColumnPartial;
import io.flinkgpu.state.Partial;

import java.util.List;

/** Makes partials of the groups that a backend gives, or adds them to others. */
public final class GroupPartials {

    private final List<ValueSpec> specs;

    public GroupPartials(List<ValueSpec> specs) {
        this.specs = specs;
    }

    Partial partial(GroupedBatch batch, int group) {
        Partial partial = new Partial(specs);
        add(batch, group, partial);
        return partial;
    }

    /** Adds the rows of a group to a partial of the same columns. */
    public void add(GroupedBatch batch, int group, Partial into) {
        for (int i = 0; i < specs.size(); i++) {
            if (batch.count(i, group) > 0) {
                addColumn(batch, group, i, into.column(i));
            }
        }
    }

    private void addColumn(GroupedBatch batch, int group, int column, ColumnPartial into) {
        ValueSpec spec = specs.get(column);
        into.addCount(batch.count(column, group));
        if (spec.needsMinMax()) {
            into.addExtremes(batch.min(column, group), batch.max(column, group));
        }
        if (spec.needsSum() && !spec.type().isFloating()) {
            into.addIntegerBins(batch.bin(column, 0, group), batch.bin(column, 1, group));
        } else if (spec.needsSum()) {
            into.addSpecials(batch.specials(column, group));
            for (int bin = 0; bin < batch.bins(column); bin++) {
                long amount = batch.bin(column, bin, group);
                if (amount != 0) {
                    into.addFloatingBin(batch.firstBin(column) + bin, amount);
                }
            }
        }
    }
}
