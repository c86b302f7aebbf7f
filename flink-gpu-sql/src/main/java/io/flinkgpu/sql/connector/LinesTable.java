package io.flinkgpu.sql.connector;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.source.LineFiles;

/**
 * What a table's options say, whatever a query reads of it.
 *
 * @param format of the lines; null if a line is one text
 * @param malformed what becomes of lines of another format
 * @param options of these, the error detail is used
 * @param files whose lines they are
 * @param bounded whether the table ends
 * @param parallelism of the source; null for the job's
 */
record LinesTable(
        Delimited format,
        Malformed malformed,
        GpuOptions options,
        LineFiles files,
        boolean bounded,
        Integer parallelism) {}
