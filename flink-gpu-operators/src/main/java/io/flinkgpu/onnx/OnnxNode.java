package io.flinkgpu.onnx;

import java.util.List;
import java.util.Map;

/**
 * A node of a model's graph.
 *
 * @param label its name, or its number where it has none, and its operator, for errors
 * @param attributes a {@code Long}, a {@code Float}, an {@link OnnxTensor}, or something else for what is
 *     of no use here
 */
record OnnxNode(
        String label,
        String domain,
        String operator,
        List<String> inputs,
        List<String> outputs,
        Map<String, Object> attributes) {

    long integer(String name, long ifMissing) {
        return attributes.get(name) instanceof Long value ? value : ifMissing;
    }

    float number(String name, float ifMissing) {
        return attributes.get(name) instanceof Float value ? value : ifMissing;
    }
}
