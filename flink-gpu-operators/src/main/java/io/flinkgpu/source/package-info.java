/**
 * Whole-line chunks and ranges of files as a Flink source, and chunks written back to files.
 *
 * <p>Imported by: users' jobs; nothing in the library.
 *
 * <p>Owns: the open file and one buffer of each reader, on the heap. Fetcher threads read, the
 * enumerator's thread assigns splits.
 */
package io.flinkgpu.source;
