package io.flinkgpu.onnx;

import java.util.List;
import java.util.Map;

/**
 * A model as it is in its file.
 *
 * @param opset the version of ONNX's own operators
 * @param inputs also constants that may be replaced
 */
record OnnxGraph(
        long opset,
        List<OnnxNode> nodes,
        Map<String, OnnxTensor> constants,
        List<Input> inputs,
        List<String> outputs) {

    /**
     * What comes in.
     *
     * @param dims -1 for those that are not fixed; null if it has no shape
     */
    record Input(String name, int type, List<Long> dims) {}
}
