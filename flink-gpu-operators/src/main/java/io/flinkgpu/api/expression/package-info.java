/**
 * Expressions over the columns of a row: immutable trees.
 *
 * <p>Imported by: users' jobs, {@code program}, which compiles the trees, and packages that need
 * a {@code ColumnType}.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.api.expression;
