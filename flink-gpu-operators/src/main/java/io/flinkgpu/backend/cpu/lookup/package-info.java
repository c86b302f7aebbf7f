/**
 * Lookup of embeddings on one core: ids are found, vectors touched and combined in blocks, so that a core waits for
 * several lines of memory at a time.
 *
 * <p>Imported by: {@code backend.cpu}.
 *
 * <p>Owns: the tables, as long as the program; backend thread only.
 */
package io.flinkgpu.backend.cpu.lookup;
