/**
 * Groups of windows before the shuffle: what a subtask's own records add up to, sent in blocks.
 *
 * <p>Imported by: {@code operator.lines}, which sends the same blocks, and the root.
 *
 * <p>Owns: what {@code operator} owns and the groups of open windows, off the heap; task thread
 * only.
 */
package io.flinkgpu.operator.window.local;
