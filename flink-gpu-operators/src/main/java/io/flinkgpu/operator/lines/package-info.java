/**
 * Lines of files to partials of keyed windows, to rows, or to redacted lines.
 *
 * <p>Imported by: the root.
 *
 * <p>Owns: what {@code operator} owns, open files of the ranges being read, and partials on the
 * heap that wait to be sent; task thread only.
 */
package io.flinkgpu.operator.lines;
