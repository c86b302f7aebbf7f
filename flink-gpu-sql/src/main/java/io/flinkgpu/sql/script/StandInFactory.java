package io.flinkgpu.sql.script;

import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.types.DataType;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Makes tables that are planned and never run. Called by Flink. */
@Internal
public final class StandInFactory implements DynamicTableSourceFactory, DynamicTableSinkFactory {

    static final String IDENTIFIER = "gpu-sql-stand-in";

    /** The connector that the table has. */
    static final String ORIGINAL = "gpu-sql-stand-in.for";

    private static final Set<String> WITH_ALL_CHANGES =
            Set.of(
                    "debezium-json",
                    "debezium-avro-confluent",
                    "canal-json",
                    "maxwell-json",
                    "ogg-json");

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        return new StandInSource(
                mode(context.getCatalogTable().getOptions()),
                metadata(context.getCatalogTable().getResolvedSchema()));
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        return new StandInSink(metadata(context.getCatalogTable().getResolvedSchema()));
    }

    private static ChangelogMode mode(Map<String, String> options) {
        String connector = options.get(ORIGINAL);
        String format = options.getOrDefault("value.format", options.get("format"));
        if (connector.startsWith("upsert-")) {
            return ChangelogMode.upsert();
        }
        return connector.endsWith("-cdc") || (format != null && WITH_ALL_CHANGES.contains(format))
                ? ChangelogMode.all()
                : ChangelogMode.insertOnly();
    }

    private static Map<String, DataType> metadata(ResolvedSchema schema) {
        Map<String, DataType> metadata = new LinkedHashMap<>();
        for (Column column : schema.getColumns()) {
            if (column instanceof Column.MetadataColumn it) {
                metadata.put(it.getMetadataKey().orElse(it.getName()), it.getDataType());
            }
        }
        return metadata;
    }
}
