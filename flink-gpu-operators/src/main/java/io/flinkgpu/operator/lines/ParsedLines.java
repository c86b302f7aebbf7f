package io.flinkgpu.operator.lines;

import io.flinkgpu.backend.plan.LineGroups;
import io.flinkgpu.column.ColumnBatch;

/**
 * What became of lines, and the lines themselves, of which the host reads some again. The receiver
 * closes it.
 *
 * @param lines the column that the groups were made of
 */
record ParsedLines(LineGroups groups, ColumnBatch lines) implements AutoCloseable {

    @Override
    public void close() {
        try {
            lines.close();
        } finally {
            groups.close();
        }
    }
}
