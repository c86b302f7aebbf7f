package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The connector {@code readings}: a key, a number, and a time that goes on from row to row; copies of rows that were
 * made before, as bytes. Notes the CPU time that the second half of a job took.
 */
public final class ReadingTables implements DynamicTableSourceFactory {

    private static final ConfigOption<Long> COUNT =
            ConfigOptions.key("count").longType().noDefaultValue();
    private static final ConfigOption<Long> PER_SECOND =
            ConfigOptions.key("per-second-of-event-time").longType().noDefaultValue();

    private static volatile BinaryRowData[] pool;
    private static volatile LongSupplier clock;
    private static volatile long secondHalf;

    /** Makes the rows. */
    static void fill(int keys, LongSupplier cpuNanos) {
        Random random = new Random(1);
        RowDataSerializer serializer =
                new RowDataSerializer(
                        (RowType)
                                DataTypes.ROW(
                                                DataTypes.STRING(),
                                                DataTypes.BIGINT(),
                                                DataTypes.TIMESTAMP(3))
                                        .getLogicalType());
        BinaryRowData[] rows =
                new BinaryRowData[Math.max(1 << 14, Integer.highestOneBit(keys) * 2)];
        for (int i = 0; i < rows.length; i++) {
            rows[i] =
                    serializer
                            .toBinaryRow(
                                    GenericRowData.of(
                                            StringData.fromString(
                                                    "station " + random.nextInt(keys)),
                                            random.nextLong(-1000, 1000),
                                            TimestampData.fromEpochMillis(0)))
                            .copy();
        }
        pool = rows;
        clock = cpuNanos;
    }

    static long cpuOfSecondHalf() {
        return secondHalf;
    }

    @Override
    public String factoryIdentifier() {
        return "readings";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(COUNT, PER_SECOND);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        var options = FactoryUtil.createTableFactoryHelper(this, context).getOptions();
        long count = options.get(COUNT);
        long perSecond = options.get(PER_SECOND);
        return GeneratedTable.of(
                "readings", context, count, 0, index -> row(index, count, perSecond));
    }

    private static RowData row(long index, long count, long perSecond) {
        if (index == count / 2) {
            secondHalf = -clock.getAsLong();
        } else if (index == count - 1) {
            secondHalf += clock.getAsLong();
        }
        BinaryRowData row = pool[(int) (index % pool.length)].copy();
        row.setLong(2, index * 1000 / perSecond);
        return row;
    }
}
