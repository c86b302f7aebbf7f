package io.flinkgpu.operator.window;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.GroupedBatch;
import io.flinkgpu.state.ColumnPartial;
import io.flinkgpu.state.Partial;
import io.flinkgpu.words.Term;
import io.flinkgpu.words.WordLayout;

import org.apache.flink.annotation.Internal;

import java.util.List;

/** Makes partials of the groups that a backend gives, or adds them to others. */
@Internal
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
            long count = batch.word(batch.layout().first(i, Term.COUNT), group);
            if (count > 0) {
                into.column(i).addCount(count);
                addColumn(batch, group, i, into.column(i));
            }
        }
    }

    private static void addColumn(GroupedBatch batch, int group, int column, ColumnPartial into) {
        WordLayout layout = batch.layout();
        int sum = layout.first(column, Term.SUM);
        if (layout.has(column, Term.MIN)) {
            into.addExtremes(
                    batch.word(layout.first(column, Term.MIN), group),
                    batch.word(layout.first(column, Term.MAX), group));
        }
        if (layout.has(column, Term.SPECIALS)) {
            into.addSpecials((int) batch.word(layout.first(column, Term.SPECIALS), group));
            for (int bin = 0; bin < layout.bins(column); bin++) {
                long amount = batch.word(sum + bin, group);
                if (amount != 0) {
                    into.addFloatingBin(batch.firstBin(column) + bin, amount);
                }
            }
        } else if (layout.has(column, Term.SUM)) {
            into.addIntegerBins(batch.word(sum, group), batch.word(sum + 1, group));
        }
    }
}
