/**
 * From expressions to instructions that one pass over a batch follows; pure Java.
 *
 * <p>Imported by: the backends, which run programs, and whatever carries a program to them.
 *
 * <p>Owns: nothing. Programs are immutable and serializable; the compiler runs once, where the
 * job is built.
 */
package io.flinkgpu.program;
