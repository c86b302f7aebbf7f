/**
 * Windows made of slices: tables of groups in memory and in state, and the rules by which windows
 * fire.
 *
 * <p>Imported by: {@code operator.window.keyed}.
 *
 * <p>Owns: tables off the heap and runs in keyed state; task thread only.
 */
package io.flinkgpu.operator.window.slices;
