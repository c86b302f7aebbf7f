/**
 * Groups the rows of a batch by key and slice, and adds up their values.
 *
 * <p>Imported by: {@code backend.cpu}, and {@code backend.cpu.lines} for its hash and its sums.
 *
 * <p>Owns: group tables on the heap, reused from batch to batch, and the arrays of a result
 * until it is returned; backend thread only.
 */
package io.flinkgpu.backend.cpu.aggregate;
