/**
 * What aggregations of Flink SQL keep of rows before Flink's state does, in the library's tables of groups: the local half
 * of windows and of mini-batches, and the buffer of windows that have none. What they give are Flink's own
 * accumulators, which Flink merges.
 *
 * <p>Imported by: the planner.
 *
 * <p>Owns: the tables' memory; on the task's thread.
 */
package io.flinkgpu.sql.aggregate;
