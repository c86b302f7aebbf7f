/**
 * Operators of SQL plans that work in batches: rows of Flink SQL to columns and back, and the Calc.
 *
 * <p>Imported by: the planner's module.
 *
 * <p>Owns: what {@code io.flinkgpu.operator} owns; functions that Flink's planner generated, on the task
 * thread.
 */
package io.flinkgpu.sql.operator;
