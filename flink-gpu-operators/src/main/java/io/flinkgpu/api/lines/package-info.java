/**
 * How lines are cut into fields, and what becomes of those that do not fit: immutable values.
 *
 * <p>Imported by: users' jobs, {@code parse}, and the backends and operators of lines.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.api.lines;
