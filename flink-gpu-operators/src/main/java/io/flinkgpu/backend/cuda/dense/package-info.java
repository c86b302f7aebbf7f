/**
 * Runs the dense part of a model on the device, on values that are there already.
 *
 * <p>Imported by: {@code backend.cuda.lookup}.
 *
 * <p>Owns: nothing; who runs a network has its weights, buffers and results in memory of its own. Backend thread
 * only.
 */
package io.flinkgpu.backend.cuda.dense;
