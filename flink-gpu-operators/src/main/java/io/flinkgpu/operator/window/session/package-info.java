/**
 * Session windows: a table of sessions that grow together, in memory and in state.
 *
 * <p>Imported by: {@code operator.window.keyed}.
 *
 * <p>Owns: tables off the heap and runs in keyed state; task thread only.
 */
package io.flinkgpu.operator.window.session;
