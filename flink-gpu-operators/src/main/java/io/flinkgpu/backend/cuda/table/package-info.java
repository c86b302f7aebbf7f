/**
 * A table of texts on the device that batches are looked up in, and that is changed by batches.
 *
 * <p>Imported by: {@code backend.cuda}.
 *
 * <p>Owns: the table's memory, as long as the program; backend thread only.
 */
package io.flinkgpu.backend.cuda.table;
