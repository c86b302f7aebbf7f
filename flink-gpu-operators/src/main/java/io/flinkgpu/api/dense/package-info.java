/**
 * The dense part of a model: layers of numbers that follow the lookup of vectors.
 *
 * <p>Imported by: user code, {@code onnx}, {@code api.lookup}, the plans, and the engines of lookups and
 * networks.
 *
 * <p>Owns: nothing; all types but the builder are immutable.
 */
package io.flinkgpu.api.dense;
