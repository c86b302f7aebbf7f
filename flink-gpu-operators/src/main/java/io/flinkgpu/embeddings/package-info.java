/**
 * Tables of vectors as they are stored: files, elements, the index of ids, and what is in memory or on disk; the
 * same for all backends.
 *
 * <p>Imported by: {@code backend.cpu.lookup}, {@code backend.cuda.lookup}, {@code operator.lookup} and the root.
 *
 * <p>Owns: the memory and the scratch files of vectors, and open base files; backend thread only, but for gauges.
 */
package io.flinkgpu.embeddings;
