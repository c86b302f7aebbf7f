/**
 * What a backend can be asked for, and the results it gives: immutable plans, and batches of
 * results.
 *
 * <p>Imported by: the backends and the operators.
 *
 * <p>Owns: results own their columns and arrays, and are closed by their receiver; plans
 * own nothing.
 */
package io.flinkgpu.backend.plan;
