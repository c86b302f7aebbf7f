package io.flinkgpu.sql.aggregate;

import org.apache.flink.table.data.RowData;
import org.apache.flink.util.Collector;

/** Groups as rows to the next operator, each valid until the collector returns. */
final class RowOutput implements GroupOutput {

    private final GroupRow row;
    private final Collector<RowData> collector;

    RowOutput(LocalAggregation aggregation, Collector<RowData> collector) {
        this.row = new GroupRow(aggregation);
        this.collector = collector;
    }

    @Override
    public void send(SentGroups groups) {
        while (groups.next()) {
            collector.collect(
                    row.of(groups.key(), groups.keyLength(), groups.values(), groups.slice()));
        }
    }
}
