package io.flinkgpu.sql.script;

import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.operations.ddl.CreateTableOperation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;

/** Has tables planned whose connectors or formats are not there. */
final class StandIns {

    private StandIns() {}

    /**
     * A table as it is, or with a stand-in for its connector.
     *
     * @param notes is told of a stand-in
     */
    static CreateTableOperation of(CreateTableOperation created, Consumer<String> notes) {
        ResolvedCatalogTable table = created.getCatalogTable();
        String missing = missing(table.getOptions());
        if (missing == null) {
            return created;
        }
        Map<String, String> options = new HashMap<>(table.getOptions());
        options.put(StandInFactory.ORIGINAL, options.get("connector"));
        options.put("connector", StandInFactory.IDENTIFIER);
        notes.accept(
                "table "
                        + created.getTableIdentifier().getObjectName()
                        + " is planned by its columns alone, as there is no "
                        + missing);
        return new CreateTableOperation(
                created.getTableIdentifier(),
                table.copy(options),
                created.isIgnoreIfExists(),
                created.isTemporary());
    }

    private static String missing(Map<String, String> options) {
        Set<String> known = new HashSet<>();
        for (Factory factory : ServiceLoader.load(Factory.class)) {
            known.add(factory.factoryIdentifier());
        }
        String connector = options.get("connector");
        if (connector != null && !known.contains(connector)) {
            return "connector " + connector;
        }
        for (String key : new String[] {"format", "key.format", "value.format"}) {
            String format = options.get(key);
            if (format != null && !known.contains(format)) {
                return "format " + format;
            }
        }
        return null;
    }
}
