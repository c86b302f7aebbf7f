/**
 * Groups as words and cells, not as objects: a table of groups by key, off the heap, and blocks of
 * rows or groups that cross the network as bytes.
 *
 * <p>Imported by: the operators of windows and lines.
 *
 * <p>Owns: a table's memory, from the allocator it was given; one thread at a time.
 */
package io.flinkgpu.groups;
