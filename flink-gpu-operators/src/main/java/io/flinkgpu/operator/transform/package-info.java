/**
 * Expressions over records or lines: what is batched, what is computed record by record, and how
 * results leave.
 *
 * <p>Imported by: the root.
 *
 * <p>Owns: what {@code operator} owns; records of batches in flight, and a {@code RowProgram} on
 * the task thread.
 */
package io.flinkgpu.operator.transform;
