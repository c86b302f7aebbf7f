package io.flinkgpu.sql.planner;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

/**
 * A table of rows that are made of their numbers, with a place in checkpoints.
 *
 * @param perSecond rows a second; 0 for as many as can be made
 */
record GeneratedTable(
        String name,
        RowType type,
        ChangelogMode mode,
        long count,
        double perSecond,
        GeneratorFunction<Long, RowData> rows)
        implements ScanTableSource {

    /** One of inserted rows. */
    static GeneratedTable of(
            String name,
            DynamicTableFactory.Context context,
            long count,
            double perSecond,
            GeneratorFunction<Long, RowData> rows) {
        return new GeneratedTable(
                name, rowType(context), ChangelogMode.insertOnly(), count, perSecond, rows);
    }

    static RowType rowType(DynamicTableFactory.Context context) {
        return (RowType) context.getPhysicalRowDataType().getLogicalType();
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return mode;
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        return SourceProvider.of(
                new DataGeneratorSource<>(
                        rows,
                        count,
                        perSecond > 0
                                ? RateLimiterStrategy.perSecond(perSecond)
                                : RateLimiterStrategy.noOp(),
                        InternalTypeInfo.of(type)));
    }

    @Override
    public DynamicTableSource copy() {
        return this;
    }

    @Override
    public String asSummaryString() {
        return name;
    }
}
