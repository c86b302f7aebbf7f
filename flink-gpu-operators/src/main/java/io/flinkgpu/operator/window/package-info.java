/**
 * What the rooms of keyed windows have in common: shapes, triggers, plans, and what crosses the
 * shuffle.
 *
 * <p>Imported by: its rooms, {@code operator.lines} and the root.
 *
 * <p>Owns: nothing but what it names in keyed state; task thread only.
 */
package io.flinkgpu.operator.window;
