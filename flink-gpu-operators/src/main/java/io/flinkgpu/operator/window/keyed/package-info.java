/**
 * The window operator after the shuffle: that of slices, that of sessions, or one that keeps
 * windows as Flink's own does.
 *
 * <p>Imported by: the root.
 *
 * <p>Owns: windows and timers in keyed state; task thread only.
 */
package io.flinkgpu.operator.window.keyed;
