/**
 * Parses, groups and aggregates the lines of a batch in one kernel.
 *
 * <p>Imported by: {@code backend.cuda}.
 *
 * <p>Owns: one slot for each batch under way with a table of groups that grows, a result until it is
 * returned, and a table of groups that are held from batch to batch; backend thread only.
 */
package io.flinkgpu.backend.cuda.lines;
