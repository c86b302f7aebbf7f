package io.flinkgpu.sql.model;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.ml.ModelProvider;

import java.util.List;
import java.util.Set;

/**
 * Makes the provider of {@code CREATE MODEL m INPUT (users BIGINT) OUTPUT (vector ARRAY<FLOAT>) WITH ('provider'
 * = 'gpu-lookup', 'tables.users.path' = '..', 'tables.users.dimension' = '32')}: each output is what is found for
 * the ids of the input of the same place.
 */
@PublicEvolving
public final class LookupModelFactory implements ModelProviderFactory {

    public static final String IDENTIFIER = "gpu-lookup";

    @Override
    public ModelProvider createModelProvider(Context context) {
        FactoryUtil.ModelProviderFactoryHelper helper =
                FactoryUtil.createModelProviderFactoryHelper(this, context);
        helper.validateExcept(TableOptions.PREFIX, LookupModels.COLUMNS);
        ReadableConfig options = helper.getOptions();
        ResolvedCatalogModel model = context.getCatalogModel();
        EmbeddingTablesPlan tables = LookupModels.tables(options, model);
        List<ModelColumn> columns =
                LookupModels.columns(model, tables.tables(), Combiner.NONE, false);
        ResolvedSchema output = model.getResolvedOutputSchema();
        if (output.getColumnCount() != columns.size() || !LookupModels.areAllFloats(output, true)) {
            throw Errors.argument(
                    "a model of tables makes an array of each input: inputs=%s, OUTPUT=%s; give as"
                            + " many columns of ARRAY<FLOAT>",
                    columns.size(), output.getColumnDataTypes());
        }
        return new BatchedModel(
                new LookupModel(columns, tables, null, columns.size(), false),
                GpuOptions.DEFAULT.withBackend(options.get(RedactModelFactory.BACKEND)));
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
        return Set.of(
                RedactModelFactory.BACKEND, LookupModels.HOST_BYTES, LookupModels.DEVICE_BYTES);
    }
}
