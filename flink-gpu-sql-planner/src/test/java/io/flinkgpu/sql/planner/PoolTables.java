package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The connector {@code pool}: rows that were made before, again and again, as bytes; a message, a name, a
 * visibility and a number. Notes the CPU time that the second half of a job took.
 */
public final class PoolTables implements DynamicTableSourceFactory {

    private static final ConfigOption<Long> COUNT =
            ConfigOptions.key("count").longType().noDefaultValue();

    private static volatile RowData[] pool;
    private static volatile LongSupplier clock;
    private static volatile long secondHalf;

    /** Makes the rows, of lines. */
    static void fill(List<String> lines, LongSupplier cpuNanos) {
        Random random = new Random(1);
        RowDataSerializer serializer =
                new RowDataSerializer(
                        RowType.of(
                                new VarCharType(),
                                new VarCharType(),
                                new VarCharType(),
                                new BigIntType()));
        List<RowData> rows = new ArrayList<>();
        for (String line : lines) {
            String name = random.nextBoolean() ? "John Smith" : "Wilhelmina de Vries";
            rows.add(
                    serializer.toBinaryRow(
                            GenericRowData.of(
                                    StringData.fromString(line),
                                    StringData.fromString(name),
                                    StringData.fromString(
                                            random.nextBoolean() ? "public" : "private"),
                                    random.nextLong(1_000_000)),
                            true));
        }
        pool = rows.toArray(RowData[]::new);
        clock = cpuNanos;
    }

    static long cpuOfSecondHalf() {
        return secondHalf;
    }

    @Override
    public String factoryIdentifier() {
        return "pool";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(COUNT);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        long count = FactoryUtil.createTableFactoryHelper(this, context).getOptions().get(COUNT);
        return GeneratedTable.of("pool", context, count, 0, index -> row(index, count));
    }

    private static RowData row(long index, long count) {
        if (index == count / 2) {
            secondHalf = -clock.getAsLong();
        } else if (index == count - 1) {
            secondHalf += clock.getAsLong();
        }
        return pool[(int) (index % pool.length)];
    }
}
