/**
 * A corpus of sets on the device, which batches of queries search and batches of changes change.
 *
 * <p>Imported by: {@code backend.cuda}.
 *
 * <p>Owns: the corpus' memory and the host's books of it, as long as the program; backend thread only.
 */
package io.flinkgpu.backend.cuda.search;
