package io.flinkgpu.sql.model;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.onnx.OnnxFiles;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.ml.ModelProvider;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Makes the provider of {@code CREATE MODEL clicks INPUT (users BIGINT, age FLOAT) OUTPUT (score FLOAT) WITH
 * ('provider' = 'gpu-score', 'onnx.path' = '..', 'tables.users.path' = '..', 'tables.users.dimension' = '32')}: the
 * network reads the vectors of all ids, in the order of the inputs, and then all numbers.
 */
@PublicEvolving
public final class ScoreModelFactory implements ModelProviderFactory {

    public static final String IDENTIFIER = "gpu-score";

    /** The network, read where the query is planned. */
    public static final ConfigOption<String> ONNX_PATH =
            ConfigOptions.key("onnx.path").stringType().noDefaultValue();

    @Override
    public ModelProvider createModelProvider(Context context) {
        FactoryUtil.ModelProviderFactoryHelper helper =
                FactoryUtil.createModelProviderFactoryHelper(this, context);
        helper.validateExcept(TableOptions.PREFIX, LookupModels.COLUMNS);
        ReadableConfig options = helper.getOptions();
        ResolvedCatalogModel model = context.getCatalogModel();
        EmbeddingTablesPlan tables = LookupModels.tables(options, model);
        List<ModelColumn> columns =
                LookupModels.columns(model, tables.tables(), Combiner.SUM, true);
        DensePlan network = OnnxFiles.read(Path.of(options.get(ONNX_PATH)));
        List<Feature> features =
                columns.stream()
                        .filter(ModelColumn::isId)
                        .map(column -> Feature.of(column.table(), column.combiner()))
                        .toList();
        Scoring scoring =
                new Scoring(network, numbers(network, columns, tables.tables()), features);
        ResolvedSchema output = model.getResolvedOutputSchema();
        int outputs = output.getColumnCount();
        boolean asNumbers =
                outputs == network.outputWidth() && LookupModels.areAllFloats(output, false);
        if (!asNumbers && !(outputs == 1 && LookupModels.areAllFloats(output, true))) {
            throw Errors.argument(
                    "the network gives other outputs: its=%s, OUTPUT=%s; give as many columns of"
                            + " FLOAT, or one of ARRAY<FLOAT>",
                    network.outputWidth(), output.getColumnDataTypes());
        }
        return new BatchedModel(
                new LookupModel(columns, tables, scoring, outputs, asNumbers),
                GpuOptions.DEFAULT.withBackend(options.get(RedactModelFactory.BACKEND)));
    }

    /** How many numbers there are beside the vectors, as arrays have no length of their own. */
    private static int numbers(
            DensePlan network, List<ModelColumn> columns, List<EmbeddingTable> tables) {
        int vectors = 0;
        int singles = 0;
        boolean hasArrays = false;
        for (ModelColumn column : columns) {
            if (column.isId()) {
                vectors +=
                        tables.stream()
                                .filter(table -> table.name().equals(column.table()))
                                .mapToInt(EmbeddingTable::dimension)
                                .sum();
            } else {
                singles += column.isArray() ? 0 : 1;
                hasArrays |= column.isArray();
            }
        }
        int numbers = network.inputWidth() - vectors;
        if (numbers < singles || numbers > singles && !hasArrays) {
            throw Errors.argument(
                    "vectors and numbers are what the network reads: inputWidth=%s, vectors=%s,"
                            + " numbers=%s; give the inputs that it was trained with",
                    network.inputWidth(), vectors, singles);
        }
        return numbers;
    }

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(ONNX_PATH);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(
                RedactModelFactory.BACKEND, LookupModels.HOST_BYTES, LookupModels.DEVICE_BYTES);
    }
}
