/**
 * The choice of {@code auto}: measures a GPU and a core with the operator's own program, and
 * keeps the faster.
 *
 * <p>Imported by: the root alone.
 *
 * <p>Owns: the backends under trial, until one is chosen, and the choice that subtasks of a
 * process share. Measuring runs on the backend thread, one trial at a time in a process.
 */
package io.flinkgpu.backend.auto;
