/**
 * Keyed windows in two operators: local groups before the shuffle; merging, firing and late
 * records after it.
 *
 * <p>Imported by: {@code operator.lines}, which sends the same blocks, and the root.
 *
 * <p>Owns: what {@code operator} owns, groups off the heap, and the window operator's Flink
 * state; task thread only.
 */
package io.flinkgpu.operator.window;
