package io.flinkgpu.sql.planner;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

import java.util.List;

/** What of a SQL plan runs in batches, and what is said about it. Set with {@code SET}, or in Flink's configuration. */
@PublicEvolving
public final class GpuSqlOptions {

    /** Whether plans are changed at all. */
    public static final ConfigOption<Boolean> ENABLED =
            ConfigOptions.key("gpu.sql.enabled")
                    .booleanType()
                    .defaultValue(true)
                    .withDescription("Whether nodes of plans run in batches at all.");

    /** Which backend runs the batches. */
    public static final ConfigOption<BackendChoice> BACKEND =
            ConfigOptions.key("gpu.sql.backend")
                    .enumType(BackendChoice.class)
                    .defaultValue(BackendChoice.AUTO)
                    .withDescription("Which backend runs the batches.");

    /** Which nodes {@code EXPLAIN} lists. */
    public static final ConfigOption<Explained> EXPLAIN =
            ConfigOptions.key("gpu.sql.explain")
                    .enumType(Explained.class)
                    .defaultValue(Explained.ALL)
                    .withDescription("Which nodes EXPLAIN lists under GPU Acceleration.");

    /** How {@code EXPLAIN} lists them. */
    public static final ConfigOption<ExplainFormat> EXPLAIN_FORMAT =
            ConfigOptions.key("gpu.sql.explain-format")
                    .enumType(ExplainFormat.class)
                    .defaultValue(ExplainFormat.TEXT)
                    .withDescription(
                            "Whether EXPLAIN lists nodes under GPU Acceleration as text or as JSON.");

    /** Whether a text function that stays Flink's is an error. */
    public static final ConfigOption<Boolean> STRICT =
            ConfigOptions.key("gpu.sql.strict")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Whether it is an error if a text function stays Flink's that is not"
                                    + " excluded.");

    /** What stays Flink's: names of functions as {@code EXPLAIN} shows them, or of kinds of nodes. */
    public static final ConfigOption<List<String>> EXCLUDE =
            ConfigOptions.key("gpu.sql.exclude")
                    .stringType()
                    .asList()
                    .defaultValues()
                    .withDescription(
                            "Functions and kinds of nodes that stay Flink's, for example"
                                    + " SUBSTRING;Calc.");

    /** How {@code DOUBLE}s are summed and compared. */
    public static final ConfigOption<FloatSums> FLOAT_SUMS =
            ConfigOptions.key("gpu.sql.float-sums")
                    .enumType(FloatSums.class)
                    .defaultValue(FloatSums.FLINK)
                    .withDescription(
                            "How SUM, AVG, MIN and MAX of DOUBLE are computed: by Flink, whose answers"
                                    + " depend on the order of rows, or without rounding.");

    private GpuSqlOptions() {}

    /** How {@code DOUBLE}s are summed and compared. */
    public enum FloatSums {
        /** By Flink's code. */
        FLINK,
        /** In the library's tables: rounded once, NaN being the greatest. */
        EXACT
    }

    /** Which nodes {@code EXPLAIN} lists. */
    public enum Explained {
        /** No section at all. */
        NONE,
        /** Those with something that stays Flink's. */
        NOT_ON_GPU,
        /** All that could have been swapped. */
        ALL
    }

    /** How {@code EXPLAIN} lists nodes. */
    public enum ExplainFormat {
        /** A line for each node and reason. */
        TEXT,
        /** An object of JSON, as {@code docs/sql.md} describes it. */
        JSON
    }
}
