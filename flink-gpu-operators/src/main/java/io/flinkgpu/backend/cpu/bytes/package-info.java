/**
 * Comparing, searching, copying and counting bytes off the heap.
 *
 * <p>Imported by: the CPU backend's verbs.
 *
 * <p>Owns: nothing; no state, any thread.
 */
package io.flinkgpu.backend.cpu.bytes;
