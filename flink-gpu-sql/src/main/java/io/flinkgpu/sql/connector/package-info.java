/**
 * The connector {@code gpu-lines}: the lines of files as rows of a table.
 *
 * <p>Imported by: nothing; Flink finds its factory.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.sql.connector;
