package io.flinkgpu.sql.operator;

import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.LogicalType;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * What is kept of rows while a program computes the other columns: what Flink's code makes of them, else the
 * rows themselves, or a copy of some columns where rows are reused. Task thread only.
 */
final class KeptRows implements Closeable {

    /** Null where rows pass as they are. */
    private final RowFunction function;

    private final RowFunction whole;
    private final boolean computes;
    private final boolean copies;
    private final ProjectedRowData projection;

    /** Of the projected columns; null if there are none. */
    private final RowDataSerializer serializer;

    private final RowDataSerializer wholeSerializer;

    /**
     * @param reused whether the input's rows are written again
     */
    KeptRows(FlinkPart part, boolean reused, RuntimeContext context) throws Exception {
        computes = part.computes();
        copies = reused;
        projection =
                ProjectedRowData.from(part.columns().stream().mapToInt(column -> column).toArray());
        serializer = part.columns().isEmpty() ? null : serializer(part.columnTypes());
        wholeSerializer = serializer(part.outputTypes());
        function = part.function() == null ? null : new RowFunction(part.function(), context);
        whole = new RowFunction(part.whole(), context);
    }

    /** What is kept of a row, which stays valid; null if the condition is not met. */
    RowData of(RowData input) throws Exception {
        RowData row = function == null ? input : function.of(input);
        if (row == null) {
            return null;
        }
        RowData kept = row;
        if (computes) {
            kept = ((BinaryRowData) row).copy();
            kept.setRowKind(input.getRowKind());
        } else if (copies) {
            kept = copy(input);
        }
        return kept;
    }

    /** All columns of the output, by Flink's code; stays valid. */
    RowData whole(RowData input) throws Exception {
        RowData row = wholeSerializer.copy(whole.of(input));
        row.setRowKind(input.getRowKind());
        return row;
    }

    private RowData copy(RowData input) {
        if (serializer == null) {
            return new GenericRowData(input.getRowKind(), 0);
        }
        BinaryRowData copy = serializer.toBinaryRow(projection.replaceRow(input), true);
        copy.setRowKind(input.getRowKind());
        return copy;
    }

    private static RowDataSerializer serializer(List<LogicalType> types) {
        return new RowDataSerializer(types.toArray(LogicalType[]::new));
    }

    @Override
    public void close() throws IOException {
        try {
            if (function != null) {
                function.close();
            }
        } finally {
            whole.close();
        }
    }
}
