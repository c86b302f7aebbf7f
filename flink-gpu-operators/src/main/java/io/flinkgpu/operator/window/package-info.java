/**
 * Keyed windows in two operators: local partials before the shuffle; merging, firing and late
 * records after it.
 *
 * <p>Imported by: {@code operator.lines}, which sends the same partials, and the root.
 *
 * <p>Owns: what {@code operator} owns, partials on the heap, and the window operator's Flink
 * state; task thread only.
 */
package io.flinkgpu.operator.window;
