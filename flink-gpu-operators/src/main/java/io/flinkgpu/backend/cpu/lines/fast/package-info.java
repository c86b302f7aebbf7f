/**
 * The scanner of lines of a key and a short number, three lines at a time; four times as fast as
 * the general one, and for no other format.
 *
 * <p>Imported by: {@code backend.cpu.lines}.
 *
 * <p>Owns: nothing: it fills the groups it is given; backend thread only.
 */
package io.flinkgpu.backend.cpu.lines.fast;
