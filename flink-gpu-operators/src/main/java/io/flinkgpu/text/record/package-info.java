/**
 * Redaction of a record by all the texts that it reads as: itself, its views under forms, and the values of its fields;
 * pure Java.
 *
 * <p>Imported by: {@code backend.views}.
 *
 * <p>Owns: nothing off the heap. What redacts is one thread's.
 */
package io.flinkgpu.text.record;
