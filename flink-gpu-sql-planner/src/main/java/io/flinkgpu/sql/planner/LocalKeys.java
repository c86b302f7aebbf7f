package io.flinkgpu.sql.planner;

import io.flinkgpu.sql.aggregate.CopiedKey;

import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.runtime.generated.GeneratedProjection;
import org.apache.flink.table.runtime.keyselector.BinaryRowDataKeySelector;
import org.apache.flink.table.runtime.keyselector.RowDataKeySelector;
import org.apache.flink.table.types.logical.RowType;

/** Keys of local aggregations, which keep no row that is a key. */
final class LocalKeys {

    private LocalKeys() {}

    /**
     * What makes the same keys as Flink's does, without a new row for each.
     *
     * @param grouping the key's columns of the rows that the node reads
     */
    static RowDataKeySelector of(
            KeySelector<?, ?> flinks, int[] grouping, ExecNode<RowData> aggregation) {
        RowDataKeySelector keys = (RowDataKeySelector) flinks;
        return keys.getClass() == BinaryRowDataKeySelector.class
                ? new CopiedKey(
                        keys.getProducedType(),
                        FlinkFields.get(
                                keys,
                                BinaryRowDataKeySelector.class,
                                "generatedProjection",
                                GeneratedProjection.class),
                        grouping,
                        (RowType) aggregation.getInputEdges().get(0).getOutputType())
                : keys;
    }
}
