/**
 * Search over documents that change: queries numbered and broadcast to all shards, documents in keyed state
 * and on the backend, and answers of several shards merged.
 *
 * <p>Imported by: the root, and the models of {@code flink-gpu-sql}.
 *
 * <p>Owns: the documents of a shard as keyed state; what is on the backend is a copy, made again at open.
 * Class names of serializers go into savepoints: none may be moved or renamed.
 */
package io.flinkgpu.operator.search;
