/**
 * Compiled rule sets: judging and replacing matches, and keyed hashes; pure Java.
 *
 * <p>Imported by: {@code program}, the backends, what hands rules to them, and sources that join lines to records.
 *
 * <p>Owns: nothing off the heap. Compiled rules are immutable and shared; what scans or hashes
 * is one thread's.
 */
package io.flinkgpu.text;
