package io.flinkgpu.applications;

/**
 * A vector that has changed.
 *
 * @param table its number
 */
public record VectorUpdate(int table, long id, float[] values) {}
