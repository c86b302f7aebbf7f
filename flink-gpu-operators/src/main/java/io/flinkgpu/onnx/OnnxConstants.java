package io.flinkgpu.onnx;

import io.flinkgpu.api.dense.DenseMatrix;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The constants of a model by their names, as nodes need them. */
final class OnnxConstants {

    private final String file;
    private final Map<String, OnnxTensor> tensors;

    OnnxConstants(String file, Map<String, OnnxTensor> initializers) {
        this.file = file;
        tensors = new HashMap<>(initializers);
    }

    boolean has(String name) {
        return tensors.containsKey(name);
    }

    void put(String name, OnnxTensor tensor) {
        tensors.put(name, tensor.named(name));
    }

    /** The tensor of this name, which the node needs. */
    OnnxTensor tensor(OnnxNode node, String name) {
        OnnxTensor tensor = tensors.get(name);
        if (tensor == null) {
            throw problem(
                    "node " + node.label(),
                    "needs a constant: '" + name + "' has no initializer",
                    "export it with its weights");
        }
        if (tensor.isExternal()) {
            throw problem(
                    "tensor '" + name + "'", "is in another file", "save the model as one file");
        }
        return tensor;
    }

    private float[] floats(OnnxNode node, String name) {
        OnnxTensor tensor = tensor(node, name);
        float[] values = tensor.toFloats();
        if (values == null) {
            throw problem(
                    "tensor '" + tensor.name() + "'",
                    "is not what its node "
                            + node.label()
                            + " needs: type="
                            + OnnxTensor.typeName(tensor.type())
                            + ", dims="
                            + tensor.dims(),
                    "export it with floats, as many as its dimensions say");
        }
        return values;
    }

    /** Weights. */
    DenseMatrix matrix(OnnxNode node, String name) {
        float[] values = floats(node, name);
        List<Long> dims = tensor(node, name).dims();
        if (dims.size() != 2 || values.length == 0) {
            throw problem(
                    "node " + node.label(),
                    "multiplies with '" + name + "', which is no matrix: dims=" + dims,
                    "export weights of two dimensions");
        }
        return DenseMatrix.of(dims.get(0).intValue(), dims.get(1).intValue(), values);
    }

    /** Numbers that are the same for each row. */
    float[] vector(OnnxNode node, String name) {
        float[] values = floats(node, name);
        List<Long> dims = tensor(node, name).dims();
        int last = dims.size() - 1;
        if (values.length == 0 || last > 1 || last == 1 && dims.get(0) != 1) {
            throw problem(
                    "node " + node.label(),
                    "reads '" + name + "', which is not the same for each row: dims=" + dims,
                    "export constants of one dimension");
        }
        return values;
    }

    private OnnxException problem(String where, String what, String remedy) {
        return OnnxException.of(file, where, what, remedy);
    }
}
