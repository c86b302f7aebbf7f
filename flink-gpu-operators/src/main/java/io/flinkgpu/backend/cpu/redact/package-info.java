/**
 * Redaction of a batch, row by row.
 *
 * <p>Imported by: {@code backend.cpu}.
 *
 * <p>Owns: the output columns until they are returned; backend thread only.
 */
package io.flinkgpu.backend.cpu.redact;
