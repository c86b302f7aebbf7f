/**
 * Passes of expressions over a batch, in blocks of rows.
 *
 * <p>Imported by: {@code backend.cpu}, and {@code backend.cpu.row} for instructions that read
 * no text, their registers, and automata.
 *
 * <p>Owns: registers on the heap, reused from block to block, and the output columns until they
 * are returned; backend thread only.
 */
package io.flinkgpu.backend.cpu.transform;
