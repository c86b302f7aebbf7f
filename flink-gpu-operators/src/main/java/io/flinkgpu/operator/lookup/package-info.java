/**
 * Lookup of embeddings in tables that change: requests and changes as they are read, tables as base files and
 * changes in broadcast state and on the backend, and results for a mapper.
 *
 * <p>Imported by: the root, and the models of {@code flink-gpu-sql}.
 *
 * <p>Owns: the changes since the base files, as broadcast state, equal in all subtasks; what is on the backend is a
 * copy, made again at open. Class names of serializers go into savepoints: none may be moved or renamed.
 */
package io.flinkgpu.operator.lookup;
