/**
 * Sums without rounding, and doubles in order: integers on a grid; pure Java.
 *
 * <p>Imported by: {@code state} and the backends' aggregates.
 *
 * <p>Owns: nothing off the heap; a sum is one thread's.
 */
package io.flinkgpu.exact;
