package io.flinkgpu.sql.connector;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Malformed;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * How a source of lines reads them, all of them.
 *
 * @param malformed what becomes of lines of another format
 * @param options of these, the error detail is used
 * @param columns for each column of its rows the field of the format
 */
@Internal
public record ReadLines(
        Delimited format, Malformed malformed, GpuOptions options, List<Integer> columns) {

    public ReadLines {
        columns = List.copyOf(columns);
    }
}
