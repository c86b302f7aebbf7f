/**
 * Parses, groups and aggregates the lines of a batch in one pass.
 *
 * <p>Imported by: {@code backend.cpu}.
 *
 * <p>Owns: the table of a batch's groups, in the backend's memory, until the batch is done;
 * backend thread only.
 */
package io.flinkgpu.backend.cpu.lines;
