package io.flinkgpu.operator.lines;

import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.backend.plan.LinePlan;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.Vectors;

import java.util.List;

/**
 * What became of lines, and the lines themselves, of which the host reads some again. The receiver
 * closes it.
 *
 * @param lines the column that the groups were made of
 */
record ParsedLines(LineGroups groups, ColumnBatch lines) implements AutoCloseable {

    /**
     * The groups with the lines of their batch, whose memory they share.
     *
     * @param groups closed if this fails
     */
    static ParsedLines of(LineGroups groups, ColumnBatch batch) {
        try {
            return new ParsedLines(
                    groups,
                    Vectors.batch(
                            List.of(Vectors.share(batch.vector(LinePlan.LINES_COLUMN))),
                            batch.rows(),
                            0));
        } catch (RuntimeException e) {
            groups.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            lines.close();
        } finally {
            groups.close();
        }
    }
}
