/**
 * Search for the sets of documents that are most like the set of a query: what is asked for, how documents
 * change, and what is found. Immutable values.
 *
 * <p>Imported by: all that searches.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.api.search;
