/**
 * Stands in the place of Flink's loader of its SQL planner: loads that planner as Flink does, and ours on top.
 *
 * <p>Imported by: nothing; Flink finds the factories as services.
 *
 * <p>Owns: the class loader of our planner.
 */
package io.flinkgpu.sql.loader;
