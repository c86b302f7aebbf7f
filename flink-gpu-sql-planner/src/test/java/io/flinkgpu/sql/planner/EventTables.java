package io.flinkgpu.sql.planner;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.logical.RowType;

import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connector {@code events}: {@link EventRows} by number, with a place in checkpoints. With {@code fail-at} the
 * source fails once, at that row.
 */
public final class EventTables implements DynamicTableSourceFactory {

    private static final ConfigOption<Long> COUNT =
            ConfigOptions.key("count").longType().defaultValue(Long.MAX_VALUE);
    private static final ConfigOption<Double> PER_SECOND =
            ConfigOptions.key("per-second").doubleType().defaultValue(0.0);
    private static final ConfigOption<Long> SEED =
            ConfigOptions.key("seed").longType().defaultValue(0L);
    private static final ConfigOption<String> BASE =
            ConfigOptions.key("base").stringType().defaultValue("2024-05-01T00:00:00Z");
    private static final ConfigOption<Long> STEP =
            ConfigOptions.key("step-millis").longType().defaultValue(100L);
    private static final ConfigOption<Integer> LATE =
            ConfigOptions.key("late-millis").intType().defaultValue(0);
    private static final ConfigOption<Long> FAIL_AT =
            ConfigOptions.key("fail-at").longType().defaultValue(-1L);
    private static final ConfigOption<String> NAME =
            ConfigOptions.key("name").stringType().defaultValue("");

    /** The names of sources that have failed. */
    private static final Set<String> FAILED = ConcurrentHashMap.newKeySet();

    static boolean hasFailed(String name) {
        return FAILED.contains(name);
    }

    @Override
    public String factoryIdentifier() {
        return "events";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(COUNT, PER_SECOND, SEED, BASE, STEP, LATE, FAIL_AT, NAME);
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        var options = FactoryUtil.createTableFactoryHelper(this, context).getOptions();
        RowType type = GeneratedTable.rowType(context);
        long seed = options.get(SEED);
        long base = Instant.parse(options.get(BASE)).toEpochMilli();
        long step = options.get(STEP);
        int late = options.get(LATE);
        long failAt = options.get(FAIL_AT);
        String name = options.get(NAME);
        return GeneratedTable.of(
                "events",
                context,
                options.get(COUNT),
                options.get(PER_SECOND),
                index -> {
                    if (index == failAt && FAILED.add(name)) {
                        throw new IllegalStateException("fails once");
                    }
                    return new EventRows(type, base, step, late)
                            .row(index, new Random(seed * 1_000_003 + index));
                });
    }
}
