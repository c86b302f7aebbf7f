/**
 * Passes of expressions over one record at a time, on its {@code String}s: a second
 * implementation, kept because no columns are needed.
 *
 * <p>Imported by: {@code backend.cpu}.
 *
 * <p>Owns: registers on the heap; called by the task thread.
 */
package io.flinkgpu.backend.cpu.row;
