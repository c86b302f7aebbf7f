/**
 * The SPI: what any backend does with one batch or one record, and how it fails.
 *
 * <p>Imported by: the backends, {@code backend.auto}, {@code backend.steps}, the operators and
 * the root.
 *
 * <p>Owns: the host memory that closed backends leave for the next ones. It fixes the rule: one backend thread for each subtask calls a
 * backend and what it compiled; results belong to the thread that awaits them; closing a backend returns
 * all memory, or leaves it there.
 */
package io.flinkgpu.backend;
