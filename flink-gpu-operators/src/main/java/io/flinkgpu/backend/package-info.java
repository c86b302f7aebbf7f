/**
 * The SPI: what any backend does with one batch or one record, and how it fails.
 *
 * <p>Imported by: the backends, {@code backend.auto}, {@code backend.steps}, the operators and
 * the root.
 *
 * <p>Owns: nothing itself. It fixes the rule: one backend thread for each subtask calls a
 * backend and what it compiled; results belong to the thread that awaits them; closing a backend returns
 * all memory.
 */
package io.flinkgpu.backend;
