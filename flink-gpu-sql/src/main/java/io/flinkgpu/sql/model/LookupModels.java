package io.flinkgpu.sql.model;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What models of tables are made of: options and columns that both kinds have. */
final class LookupModels {

    /** Of the options that name an input. */
    static final String COLUMNS = "columns.";

    private static final String TABLE = ".table";
    private static final String COMBINER = ".combiner";

    /** The most memory of the host that vectors of a subtask take; others stay in files. */
    static final ConfigOption<MemorySize> HOST_BYTES =
            ConfigOptions.key("host-bytes").memoryType().defaultValue(MemorySize.ofMebiBytes(1024));

    /** Likewise of a GPU. */
    static final ConfigOption<MemorySize> DEVICE_BYTES =
            ConfigOptions.key("device-bytes")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(1024));

    private LookupModels() {}

    /** The tables; vectors do not change, so no scratch file is ever written. */
    static EmbeddingTablesPlan tables(ReadableConfig options, ResolvedCatalogModel model) {
        return new EmbeddingTablesPlan(
                TableOptions.tables(model.getOptions()),
                options.get(HOST_BYTES).getBytes(),
                options.get(DEVICE_BYTES).getBytes(),
                null);
    }

    /**
     * What the inputs are: ids of the table that has the column's name, unless an option names one, or numbers.
     *
     * @param byDefault what becomes of the vectors of a column
     * @param allowsNumbers whether there may be any
     */
    static List<ModelColumn> columns(
            ResolvedCatalogModel model,
            List<EmbeddingTable> tables,
            Combiner byDefault,
            boolean allowsNumbers) {
        Map<String, String> left = new HashMap<>(model.getOptions());
        left.keySet().removeIf(key -> !key.startsWith(COLUMNS));
        List<ModelColumn> columns = new ArrayList<>();
        for (Column column : model.getResolvedInputSchema().getColumns()) {
            String name = column.getName();
            LogicalType type = column.getDataType().getLogicalType();
            boolean isArray = type.is(LogicalTypeRoot.ARRAY);
            LogicalType element = isArray ? type.getChildren().get(0) : type;
            if (element.is(LogicalTypeRoot.BIGINT)) {
                String table = left.remove(COLUMNS + name + TABLE);
                String combiner = left.remove(COLUMNS + name + COMBINER);
                columns.add(
                        new ModelColumn(
                                known(name, table == null ? name : table, tables),
                                combiner == null ? byDefault : combiner(name, combiner),
                                isArray));
            } else if (allowsNumbers && element.is(LogicalTypeRoot.FLOAT)) {
                columns.add(new ModelColumn(null, null, isArray));
            } else {
                throw Errors.argument(
                        "an input of the model has another type: column=%s, type=%s; give ids as"
                                + " BIGINT or ARRAY<BIGINT>%s",
                        name, type, allowsNumbers ? ", numbers as FLOAT or ARRAY<FLOAT>" : "");
            }
        }
        if (!left.isEmpty()) {
            throw Errors.argument(
                    "options are of no input of ids: %s; there are 'columns.<input>.table' and"
                            + " 'columns.<input>.combiner'",
                    left.keySet().stream().sorted().toList());
        }
        return columns;
    }

    private static String known(String column, String name, List<EmbeddingTable> tables) {
        if (tables.stream().noneMatch(table -> table.name().equals(name))) {
            throw Errors.argument(
                    "there is no such table: column=%s, table=%s, tables=%s; set 'columns.%s.table',"
                            + " or 'tables.%s.path'",
                    column, name, tables.stream().map(EmbeddingTable::name).toList(), column, name);
        }
        return name;
    }

    private static Combiner combiner(String column, String value) {
        for (Combiner combiner : Combiner.values()) {
            if (combiner.name().equals(value.toUpperCase(Locale.ROOT))) {
                return combiner;
            }
        }
        throw Errors.argument(
                "there is no such combiner: 'columns.%s.combiner'='%s'; give 'none', 'sum', 'mean'"
                        + " or 'max'",
                column, value);
    }

    /** Whether all outputs are FLOAT, or arrays of it, and may be null. */
    static boolean areAllFloats(ResolvedSchema outputs, boolean inArrays) {
        return outputs.getColumns().stream()
                .map(column -> column.getDataType().getLogicalType())
                .allMatch(
                        output ->
                                output.isNullable()
                                        && (inArrays
                                                ? output.is(LogicalTypeRoot.ARRAY)
                                                        && output.getChildren()
                                                                .get(0)
                                                                .is(LogicalTypeRoot.FLOAT)
                                                : output.is(LogicalTypeRoot.FLOAT)));
    }
}
