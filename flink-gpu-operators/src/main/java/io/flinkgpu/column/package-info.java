/**
 * Records and chunks to Arrow columns and back.
 *
 * <p>Imported by: the backends and the operators.
 *
 * <p>Owns: the buffers of columns, from their first row on: a builder's while it is filled, its
 * {@code ColumnBatch}'s after that. Builders are the task thread's; a batch is handed on, and
 * its last receiver closes it. Views own nothing.
 */
package io.flinkgpu.column;
