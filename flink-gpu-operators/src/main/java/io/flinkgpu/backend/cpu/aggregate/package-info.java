/**
 * Groups the rows of a batch by key and slice, and adds up their values.
 *
 * <p>Imported by: {@code backend.cpu}, and {@code backend.cpu.lines} for its table and its sums.
 *
 * <p>Owns: the table of a batch's groups, off the heap, reused from batch to batch, and the arrays of a result
 * until it is returned; backend thread only.
 */
package io.flinkgpu.backend.cpu.aggregate;
