/**
 * Reads the dense part of a model from an ONNX file.
 *
 * <p>Imported by: user code.
 *
 * <p>Owns: nothing. The only package that knows the wire format of protocol buffers.
 */
package io.flinkgpu.onnx;
