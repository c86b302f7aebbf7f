/**
 * The connector {@code gpu-lines}: the lines of files as rows of a table.
 *
 * <p>Imported by: the planner, which lets rows be read in place; Flink finds the factory.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.sql.connector;
