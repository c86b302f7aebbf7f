/**
 * Sums without rounding, of numbers and of their squares, and doubles in order: integers on a grid; pure
 * Java.
 *
 * <p>Imported by: {@code words}, {@code state}, tables of groups and the backends' aggregates.
 *
 * <p>Owns: nothing off the heap; a sum is one thread's.
 */
package io.flinkgpu.exact;
