/**
 * Lookup of embeddings in tables: which tables there are, what is asked of them, how they change, and what is
 * found. Immutable values.
 *
 * <p>Imported by: the root, {@code embeddings}, {@code backend.plan}, {@code operator.lookup} and the engines.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.api.lookup;
