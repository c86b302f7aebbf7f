/**
 * The dense part of a model: layers of numbers that follow the lookup of vectors.
 *
 * <p>Imported by: user code, {@code onnx}, {@code embeddings}, the plans and the dense engines.
 *
 * <p>Owns: nothing; all types but the builder are immutable.
 */
package io.flinkgpu.api.dense;
