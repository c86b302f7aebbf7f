/**
 * Runs the dense part of a model on a core.
 *
 * <p>Imported by: {@code backend.cpu.lookup}.
 *
 * <p>Owns: copies of the weights and the numbers of a block of rows; backend thread only.
 */
package io.flinkgpu.backend.cpu.dense;
