/**
 * Search for the sets of documents that are most like a query's, on one core: along an index of slots and
 * bitmaps, or by a scan for many queries at once, whose cost does not depend on their elements.
 *
 * <p>Imported by: {@code backend.cpu}.
 *
 * <p>Owns: the corpus and its indexes, as long as the program; backend thread only.
 */
package io.flinkgpu.backend.cpu.search;
