/**
 * Flink's planner of streaming SQL, with nodes of its plans swapped for operators that work in batches.
 *
 * <p>Imported by: Flink's planner factory, by name, and the loader's module.
 *
 * <p>Owns: nothing; plans stay Flink's.
 */
package io.flinkgpu.sql.planner;
