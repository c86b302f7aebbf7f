/**
 * What the groups of lines keep of each value, and the scanner of lines of any
 * format.
 *
 * <p>Imported by: {@code backend.cpu.lines} and its fast scanner.
 *
 * <p>Owns: key bytes off the heap, taken from the backend's allocator; backend
 * thread only.
 */
package io.flinkgpu.backend.cpu.lines.group;
