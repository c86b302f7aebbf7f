package io.flinkgpu.sql.planner;

import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
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
        return new EventSource(
                (RowType) context.getPhysicalRowDataType().getLogicalType(),
                options.get(COUNT),
                options.get(PER_SECOND),
                options.get(SEED),
                Instant.parse(options.get(BASE)).toEpochMilli(),
                options.get(STEP),
                options.get(LATE),
                options.get(FAIL_AT),
                options.get(NAME));
    }

    private record EventSource(
            RowType type,
            long count,
            double perSecond,
            long seed,
            long baseMillis,
            long stepMillis,
            int lateMillis,
            long failAt,
            String name)
            implements ScanTableSource {

        @Override
        public ChangelogMode getChangelogMode() {
            return ChangelogMode.insertOnly();
        }

        @Override
        public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
            RowType rows = type;
            long from = seed;
            long base = baseMillis;
            long step = stepMillis;
            int late = lateMillis;
            long failed = failAt;
            String source = name;
            GeneratorFunction<Long, RowData> generator =
                    index -> {
                        if (index == failed && FAILED.add(source)) {
                            throw new IllegalStateException("fails once");
                        }
                        return new EventRows(rows, base, step, late)
                                .row(index, new Random(from * 1_000_003 + index));
                    };
            return SourceProvider.of(
                    new DataGeneratorSource<>(
                            generator,
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
            return "events";
        }
    }
}
