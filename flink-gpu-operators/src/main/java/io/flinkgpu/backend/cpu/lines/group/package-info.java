/**
 * The groups of a batch's lines, what they keep of each value, and the scanner of lines of any
 * format.
 *
 * <p>Imported by: {@code backend.cpu.lines} and its fast scanner.
 *
 * <p>Owns: records and key bytes off the heap, taken from the backend's allocator; backend
 * thread only.
 */
package io.flinkgpu.backend.cpu.lines.group;
