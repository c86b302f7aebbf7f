/**
 * Entry points: a {@code DataStream} or the lines of files, and values of {@code api}, become
 * operators; the only place that picks a backend.
 *
 * <p>Imported by: users' jobs; nothing in the library.
 *
 * <p>Owns: nothing: what is made here travels in the job graph, and has no memory off the heap
 * and no thread before an operator opens it.
 */
package io.flinkgpu;
