/**
 * The fields of records that are JSON or logfmt: where their values are, and which are left out; pure Java.
 *
 * <p>Imported by: {@code text.record}.
 *
 * <p>Owns: nothing off the heap. What scans is one thread's.
 */
package io.flinkgpu.text.fields;
