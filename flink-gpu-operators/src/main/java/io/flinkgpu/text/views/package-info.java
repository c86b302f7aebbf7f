/**
 * Views of a record: what it reads as under each form, and which bytes of the record each byte of it is of; pure Java.
 *
 * <p>Imported by: {@code text.record}.
 *
 * <p>Owns: nothing off the heap. What decodes is one thread's.
 */
package io.flinkgpu.text.views;
