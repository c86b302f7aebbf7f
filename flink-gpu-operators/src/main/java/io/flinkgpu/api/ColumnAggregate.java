package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/** What is computed of a column: an {@link Aggregate} of its numbers, or one that keeps a cell. */
@PublicEvolving
public sealed interface ColumnAggregate extends Serializable permits Aggregate, CellAggregate {}
