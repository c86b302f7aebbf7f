/**
 * What {@code LOAD MODULE gpu} loads.
 *
 * <p>Imported by: nothing; Flink finds its factory.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.sql.module;
