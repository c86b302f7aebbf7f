package io.flinkgpu.examples;

/**
 * A vector that has changed.
 *
 * @param table its number
 */
public record VectorUpdate(int table, long id, float[] values) {}
