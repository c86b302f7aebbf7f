package io.flinkgpu.operator;

import io.flinkgpu.column.ColumnBuilder;

import org.apache.flink.annotation.Internal;

import java.util.function.Predicate;

/**
 * Where the records of an operator go.
 *
 * @param builder of the batches; the operator's to close
 * @param appender appends the rows of a record to the builder; false if the batch has no room, and then
 *     nothing was appended
 */
@Internal
public record BatchInput<IN>(ColumnBuilder builder, Predicate<IN> appender) {}
