package io.flinkgpu.sql.model;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

import java.util.List;
import java.util.Set;

/**
 * Makes the provider of {@code CREATE MODEL near INPUT (tags ARRAY<BIGINT>) OUTPUT (id BIGINT, score DOUBLE) WITH
 * ('provider' = 'gpu-search', 'documents.path' = '..')}: for each set a row for each of the documents whose sets
 * are most like it.
 */
@PublicEvolving
public final class SearchModelFactory implements ModelProviderFactory {

    public static final String IDENTIFIER = "gpu-search";

    /** The file of documents, on each TaskManager. */
    public static final ConfigOption<String> DOCUMENTS_PATH =
            ConfigOptions.key("documents.path").stringType().noDefaultValue();

    /** How many documents are found at most. */
    public static final ConfigOption<Integer> K = ConfigOptions.key("k").intType().defaultValue(10);

    /** The least score of a document. */
    public static final ConfigOption<Double> MIN_SCORE =
            ConfigOptions.key("min-score").doubleType().defaultValue(0.0);

    /** Whether documents with nothing in common are found, after all others. */
    public static final ConfigOption<Boolean> WITH_ZERO =
            ConfigOptions.key("with-zero").booleanType().defaultValue(false);

    /** What the score is. */
    public static final ConfigOption<Similarity> SIMILARITY =
            ConfigOptions.key("similarity").enumType(Similarity.class).defaultValue(Similarity.MAX);

    /** The most memory that the documents of a subtask take where batches run. */
    public static final ConfigOption<MemorySize> CORPUS_BYTES =
            ConfigOptions.key("corpus-bytes")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(256));

    private static final List<LogicalTypeRoot> OUTPUTS =
            List.of(
                    LogicalTypeRoot.BIGINT,
                    LogicalTypeRoot.DOUBLE,
                    LogicalTypeRoot.INTEGER,
                    LogicalTypeRoot.INTEGER);

    @Override
    public ModelProvider createModelProvider(Context context) {
        FactoryUtil.ModelProviderFactoryHelper helper =
                FactoryUtil.createModelProviderFactoryHelper(this, context);
        helper.validate();
        ReadableConfig options = helper.getOptions();
        requireSchemas(context.getCatalogModel());
        int k = options.get(K);
        double minScore = options.get(MIN_SCORE);
        if (k < 1 || !(minScore <= 1)) {
            throw Errors.argument(
                    "a search that finds nothing: 'k'='%s', 'min-score'='%s'; give a k from 1 on, and"
                            + " a number up to 1",
                    k, minScore);
        }
        CorpusPlan corpus =
                new CorpusPlan(options.get(DOCUMENTS_PATH), options.get(CORPUS_BYTES).getBytes());
        return new BatchedModel(
                new SearchModel(
                        new SearchPlan(corpus, options.get(SIMILARITY)),
                        options.get(DOCUMENTS_PATH),
                        k,
                        minScore,
                        options.get(WITH_ZERO),
                        context.getCatalogModel().getResolvedOutputSchema().getColumnCount()),
                GpuOptions.DEFAULT.withBackend(options.get(RedactModelFactory.BACKEND)));
    }

    private static void requireSchemas(ResolvedCatalogModel model) {
        ResolvedSchema input = model.getResolvedInputSchema();
        ResolvedSchema output = model.getResolvedOutputSchema();
        boolean isSet =
                input.getColumnCount() == 1
                        && type(input, 0).is(LogicalTypeRoot.ARRAY)
                        && type(input, 0).getChildren().get(0).is(LogicalTypeRoot.BIGINT);
        int outputs = output.getColumnCount();
        boolean areMatches = outputs > 0 && outputs <= SearchModel.MAX_OUTPUTS;
        for (int i = 0; areMatches && i < outputs; i++) {
            areMatches = type(output, i).is(OUTPUTS.get(i));
        }
        if (!isSet || !areMatches) {
            throw Errors.argument(
                    "a model of documents finds them for a set: INPUT=%s, OUTPUT=%s; give INPUT one"
                            + " column of ARRAY<BIGINT>, and OUTPUT the first columns of BIGINT (id),"
                            + " DOUBLE (score), INT (common elements), INT (size)",
                    input.getColumnDataTypes(), output.getColumnDataTypes());
        }
    }

    private static LogicalType type(ResolvedSchema schema, int column) {
        return schema.getColumnDataTypes().get(column).getLogicalType();
    }

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(DOCUMENTS_PATH);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(
                RedactModelFactory.BACKEND, K, MIN_SCORE, WITH_ZERO, SIMILARITY, CORPUS_BYTES);
    }
}
