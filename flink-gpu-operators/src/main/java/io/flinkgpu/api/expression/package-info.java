/**
 * Expressions over the columns of a row: immutable trees.
 *
 * <p>Imported by: users' jobs, {@code program}, which compiles the trees, and packages that read
 * records by {@code Columns}.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.api.expression;
