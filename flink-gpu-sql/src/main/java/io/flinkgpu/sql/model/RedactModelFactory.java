package io.flinkgpu.sql.model;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.RuleFiles;
import io.flinkgpu.sql.rules.NamedRules;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the provider of {@code CREATE MODEL m INPUT (message STRING) OUTPUT (redacted STRING) WITH ('provider'
 * = 'gpu-redact')}: each output is the input of the same place, redacted.
 */
@PublicEvolving
public final class RedactModelFactory implements ModelProviderFactory {

    public static final String IDENTIFIER = "gpu-redact";

    /** A rule file, read where the query is planned; the built-in rules if there is none. */
    public static final ConfigOption<String> RULES_PATH =
            ConfigOptions.key("rules.path").stringType().noDefaultValue();

    /** The file of the key of hashes, on each TaskManager. */
    public static final ConfigOption<String> HASH_KEY_PATH =
            ConfigOptions.key("hash-key.path").stringType().noDefaultValue();

    /** What runs the batches. */
    public static final ConfigOption<BackendChoice> BACKEND =
            ConfigOptions.key("backend")
                    .enumType(BackendChoice.class)
                    .defaultValue(BackendChoice.AUTO);

    @Override
    public ModelProvider createModelProvider(Context context) {
        FactoryUtil.ModelProviderFactoryHelper helper =
                FactoryUtil.createModelProviderFactoryHelper(this, context);
        helper.validate();
        ReadableConfig options = helper.getOptions();
        NamedRules named = NamedRules.defaults();
        Optional<String> path = options.getOptional(RULES_PATH);
        if (path.isPresent()) {
            named = named.with(NamedRules.DEFAULT, RuleFiles.read(Path.of(path.get())));
        }
        GpuOptions gpuOptions = GpuOptions.DEFAULT.withBackend(options.get(BACKEND));
        Optional<String> keyPath = options.getOptional(HASH_KEY_PATH);
        if (keyPath.isPresent()) {
            HashKey key = HashKey.fromFile(Path.of(keyPath.get()));
            named = named.withHashKey(key);
            gpuOptions = gpuOptions.withHashKey(key);
        }
        RuleSet rules = named.get(NamedRules.DEFAULT);
        return new RedactModel(new Redaction(rules, gpuOptions), texts(context.getCatalogModel()));
    }

    /** How many texts are redacted. */
    private static int texts(ResolvedCatalogModel model) {
        ResolvedSchema input = model.getResolvedInputSchema();
        ResolvedSchema output = model.getResolvedOutputSchema();
        if (input.getColumnCount() == 0
                || input.getColumnCount() != output.getColumnCount()
                || !areTexts(input)
                || !areTexts(output)) {
            throw Errors.argument(
                    "a model of rules makes a text of each text: INPUT=%s, OUTPUT=%s; give both as"
                            + " many STRING columns",
                    input.getColumnDataTypes(), output.getColumnDataTypes());
        }
        return input.getColumnCount();
    }

    private static boolean areTexts(ResolvedSchema schema) {
        return schema.getColumns().stream()
                .map(Column::getDataType)
                .allMatch(type -> type.getLogicalType().is(LogicalTypeRoot.VARCHAR));
    }

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
        return Set.of(RULES_PATH, HASH_KEY_PATH, BACKEND);
    }
}
