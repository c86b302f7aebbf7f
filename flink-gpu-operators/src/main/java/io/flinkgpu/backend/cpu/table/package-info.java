/**
 * A table of texts that batches are looked up in, on the heap.
 *
 * <p>Imported by: {@code backend.cpu}.
 *
 * <p>Owns: the table, as long as the program; backend thread only.
 */
package io.flinkgpu.backend.cpu.table;
