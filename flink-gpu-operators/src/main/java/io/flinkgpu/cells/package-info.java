/**
 * Cells: what a group keeps that does not fit into words, as bytes of any length, with a rule for how two
 * become one.
 *
 * <p>Imported by: the readers of records, tables of groups, and the state of windows.
 *
 * <p>Owns: nothing; immutable values, any thread.
 */
package io.flinkgpu.cells;
