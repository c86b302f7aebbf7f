/**
 * The local half of aggregations of Flink SQL, in the library's tables of groups: of windows and of
 * mini-batches. What it gives are Flink's own accumulators, which Flink merges.
 *
 * <p>Imported by: the planner.
 *
 * <p>Owns: the tables' memory; on the task's thread.
 */
package io.flinkgpu.sql.aggregate;
