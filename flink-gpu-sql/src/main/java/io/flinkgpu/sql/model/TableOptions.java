package io.flinkgpu.sql.model;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Missing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the options {@code 'tables.<name>.<option>'} of a model. */
final class TableOptions {

    static final String PREFIX = "tables.";

    private static final Pattern OPTION = Pattern.compile("tables\\.(.+)\\.([^.]+)");
    private static final Set<String> KNOWN =
            Set.of(
                    "path",
                    "dimension",
                    "type",
                    "missing",
                    "vectors",
                    "ids",
                    "scales",
                    "biases",
                    "checksum");

    private final String name;
    private final Map<String, String> options;

    private TableOptions(String name, Map<String, String> options) {
        this.name = name;
        this.options = options;
    }

    /** The tables of a model, by their names. */
    static List<EmbeddingTable> tables(Map<String, String> ofModel) {
        Map<String, Map<String, String>> byTable = new TreeMap<>();
        ofModel.forEach(
                (key, value) -> {
                    Matcher option = OPTION.matcher(key);
                    if (option.matches()) {
                        byTable.computeIfAbsent(option.group(1), table -> new TreeMap<>())
                                .put(option.group(2), value);
                    }
                    if (key.startsWith(PREFIX)
                            && !(option.matches() && KNOWN.contains(option.group(2)))) {
                        throw Errors.argument(
                                "a table has no such option: option='%s'; it has"
                                        + " 'tables.<name>.' and one of %s",
                                key, KNOWN.stream().sorted().toList());
                    }
                });
        List<EmbeddingTable> tables = new ArrayList<>();
        byTable.forEach((name, options) -> tables.add(new TableOptions(name, options).table()));
        if (tables.isEmpty()) {
            throw Errors.argument(
                    "the model has no table: set 'tables.<name>.path' and 'tables.<name>.dimension'");
        }
        return tables;
    }

    private EmbeddingTable table() {
        String type = options.getOrDefault("type", ElementType.F32.name());
        EmbeddingTable table =
                EmbeddingTable.of(
                                name,
                                (int) Math.min(Integer.MAX_VALUE, number("dimension")),
                                elementType(type))
                        .withBase(base());
        String missing = options.getOrDefault("missing", "zeros");
        if (missing.equals("zeros")) {
            return table;
        }
        if (missing.equals("skip")) {
            return table.withMissing(Missing.skip());
        }
        try {
            return table.withMissing(Missing.constant(Float.parseFloat(missing)));
        } catch (NumberFormatException e) {
            throw wrong("missing", missing, "'zeros', 'skip', or a number for all elements");
        }
    }

    private ElementType elementType(String value) {
        for (ElementType type : ElementType.values()) {
            if (type.name().equals(value.toUpperCase(Locale.ROOT))) {
                return type;
            }
        }
        throw wrong("type", value, "'f32', 'f16', 'bf16' or 'int8'");
    }

    private BaseFile base() {
        String path = required("path");
        String vectors = options.get("vectors");
        BaseFile base = vectors == null ? BaseFile.raw(path) : BaseFile.safetensors(path, vectors);
        if (options.containsKey("ids")) {
            requireVectors("ids");
            base = base.withIds(options.get("ids"));
        }
        if (options.containsKey("scales") || options.containsKey("biases")) {
            requireVectors("scales");
            base = base.withScaleAndBias(required("scales"), required("biases"));
        }
        return options.containsKey("checksum") ? base.withChecksum(number("checksum")) : base;
    }

    private void requireVectors(String option) {
        if (!options.containsKey("vectors")) {
            throw Errors.argument(
                    "only a file of tensors has names of them: option='%s'; set '%s' too, or leave"
                            + " it out",
                    key(option), key("vectors"));
        }
    }

    /** Below 2^32, as a checksum is; a dimension has limits of its own. */
    private long number(String option) {
        String value = required(option);
        try {
            return Integer.toUnsignedLong(Integer.parseUnsignedInt(value));
        } catch (NumberFormatException e) {
            throw wrong(option, value, "a whole number below 4294967296");
        }
    }

    private String required(String option) {
        String value = options.get(option);
        if (value == null) {
            throw Errors.argument(
                    "a table lacks an option: table='%s'; set '%s'", name, key(option));
        }
        return value;
    }

    private IllegalArgumentException wrong(String option, String value, String wanted) {
        return Errors.argument(
                "an option of a table is not as it has to be: '%s'='%s'; give %s",
                key(option), value, wanted);
    }

    private String key(String option) {
        return PREFIX + name + "." + option;
    }
}
