/**
 * Passes of expressions over a batch on the device, whose columns stay there between passes.
 *
 * <p>Imported by: {@code backend.cuda}.
 *
 * <p>Owns: the program on the device, one slot for each batch under way, and a result's columns
 * until they are returned; backend thread only.
 */
package io.flinkgpu.backend.cuda.transform;
