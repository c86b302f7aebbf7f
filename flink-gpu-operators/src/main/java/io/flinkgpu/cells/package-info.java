/**
 * Cells: what a group keeps that does not fit into words, as bytes of any length, with a rule for how two
 * become one.
 *
 * <p>Imported by: the readers of records, tables of groups, and the state of windows.
 *
 * <p>Owns: nothing; functions are immutable values, any thread; cells and rows, one thread at a time.
 */
package io.flinkgpu.cells;
