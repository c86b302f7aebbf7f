/**
 * From the bytes of a line to its fields: the definition that backends are held to; pure Java.
 *
 * <p>Imported by: {@code operator.lines}, and the CPU's groups of lines for lines that the fast
 * path is not sure of.
 *
 * <p>Owns: nothing off the heap. A parser keeps the last line's fields, so it is one thread's.
 */
package io.flinkgpu.parse;
