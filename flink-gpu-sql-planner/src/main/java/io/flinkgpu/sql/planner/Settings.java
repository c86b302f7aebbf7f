package io.flinkgpu.sql.planner;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.config.ExecutionConfigOptions;

import java.util.Set;
import java.util.stream.Collectors;

/** The options of a query. */
record Settings(
        boolean enabled,
        BackendChoice backend,
        GpuSqlOptions.Explained explained,
        GpuSqlOptions.ExplainFormat explainFormat,
        boolean strict,
        boolean exactSums,
        boolean asyncState,
        boolean periodicWatermarks,
        Set<String> excluded) {

    static Settings of(ReadableConfig config) {
        return new Settings(
                config.get(GpuSqlOptions.ENABLED),
                config.get(GpuSqlOptions.BACKEND),
                config.get(GpuSqlOptions.EXPLAIN),
                config.get(GpuSqlOptions.EXPLAIN_FORMAT),
                config.get(GpuSqlOptions.STRICT),
                config.get(GpuSqlOptions.FLOAT_SUMS) == GpuSqlOptions.FloatSums.EXACT,
                config.get(ExecutionConfigOptions.TABLE_EXEC_ASYNC_STATE_ENABLED),
                !config.get(PipelineOptions.AUTO_WATERMARK_INTERVAL).isZero(),
                config.get(GpuSqlOptions.EXCLUDE).stream()
                        .map(String::strip)
                        .collect(Collectors.toUnmodifiableSet()));
    }
}
