package io.flinkgpu.sql.planner;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;

import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The connector {@code rows}: a source of {@link RandomRowData} by number, with a place in checkpoints, and a sink
 * into the memory of the JVM.
 */
public final class RowTables implements DynamicTableSourceFactory, DynamicTableSinkFactory {

    private static final ConfigOption<Long> COUNT =
            ConfigOptions.key("count").longType().defaultValue(Long.MAX_VALUE);
    private static final ConfigOption<Double> PER_SECOND =
            ConfigOptions.key("per-second").doubleType().noDefaultValue();
    private static final ConfigOption<Boolean> CHANGELOG =
            ConfigOptions.key("changelog").booleanType().defaultValue(false);
    private static final ConfigOption<Long> SEED =
            ConfigOptions.key("seed").longType().defaultValue(0L);
    private static final ConfigOption<String> SINK =
            ConfigOptions.key("sink").stringType().noDefaultValue();

    private static final Map<String, Queue<String>> SINKS = new ConcurrentHashMap<>();

    /** What a sink got, each row as text, from all jobs so far. */
    static Queue<String> sink(String name) {
        return SINKS.computeIfAbsent(name, key -> new ConcurrentLinkedQueue<>());
    }

    @Override
    public String factoryIdentifier() {
        return "rows";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(COUNT, PER_SECOND, SEED, CHANGELOG, SINK);
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        var options = FactoryUtil.createTableFactoryHelper(this, context).getOptions();
        RowType type = GeneratedTable.rowType(context);
        long seed = options.get(SEED);
        boolean changes = options.get(CHANGELOG);
        return new GeneratedTable(
                "rows",
                type,
                changes ? ChangelogMode.all() : ChangelogMode.insertOnly(),
                options.get(COUNT),
                options.getOptional(PER_SECOND).orElse(0.0),
                index ->
                        new RandomRowData(new Random(seed * 1_000_003 + index), type, changes)
                                .next());
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        var options = FactoryUtil.createTableFactoryHelper(this, context).getOptions();
        return new RowsSink(options.get(SINK), context.getPhysicalRowDataType());
    }

    private record RowsSink(String name, DataType type) implements DynamicTableSink {

        @Override
        public ChangelogMode getChangelogMode(ChangelogMode requested) {
            return requested;
        }

        @Override
        public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
            return SinkV2Provider.of(
                    new MemorySink(name, context.createDataStructureConverter(type)));
        }

        @Override
        public DynamicTableSink copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "rows";
        }
    }

    private record MemorySink(String name, DynamicTableSink.DataStructureConverter converter)
            implements Sink<RowData> {

        private static final long serialVersionUID = 1L;

        @Override
        public SinkWriter<RowData> createWriter(WriterInitContext context) {
            Queue<String> rows = sink(name);
            return new SinkWriter<>() {
                @Override
                public void write(RowData row, Context context) {
                    rows.add(((Row) converter.toExternal(row)).toString());
                }

                @Override
                public void flush(boolean endOfInput) {}

                @Override
                public void close() {}
            };
        }
    }
}
