package io.flinkgpu.onnx;

import io.flinkgpu.api.dense.DenseBuilder;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseValue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes a network of a model's nodes. */
final class OnnxReader {

    /** From this version on Add and Mul broadcast as they do today. */
    private static final long FIRST_OPSET = 7;

    private final String file;
    private final OnnxGraph graph;
    private final OnnxConstants constants;
    private final Map<String, Rows> values = new HashMap<>();
    private DenseBuilder builder;

    /**
     * What a node gives.
     *
     * @param isFlat whether a row is a list of numbers; else it has more dimensions
     */
    private record Rows(DenseValue value, boolean isFlat) {}

    OnnxReader(String file, OnnxGraph graph) {
        this.file = file;
        this.graph = graph;
        constants = new OnnxConstants(file, graph.constants());
    }

    DensePlan read() {
        if (graph.opset() < FIRST_OPSET) {
            throw problem(
                    "opset=" + graph.opset(), "is too old", "export it with opset 7 or newer");
        }
        readInputs();
        for (OnnxNode node : graph.nodes()) {
            read(node);
        }
        List<DenseValue> outputs = new ArrayList<>();
        for (String name : graph.outputs()) {
            Rows rows = values.get(name);
            if (rows == null) {
                throw problem(
                        "output '" + name + "'", "is no node's", "export the model as a whole");
            }
            outputs.add(rows.value());
        }
        try {
            return builder.build(
                    outputs.size() == 1
                            ? outputs.get(0)
                            : builder.concat(outputs.toArray(DenseValue[]::new)));
        } catch (IllegalArgumentException e) {
            throw new OnnxException(file + ": " + e.getMessage(), e);
        }
    }

    private void readInputs() {
        List<OnnxGraph.Input> inputs =
                graph.inputs().stream().filter(i -> !constants.has(i.name())).toList();
        long width = 0;
        for (OnnxGraph.Input input : inputs) {
            width += widthOf(input);
        }
        if (width == 0 || width > Integer.MAX_VALUE) {
            throw problem(
                    "graph",
                    width == 0 ? "has no inputs" : "has inputs of " + width + " numbers a row",
                    "export the model as a whole");
        }
        builder = DensePlan.builder((int) width);
        int from = 0;
        for (OnnxGraph.Input input : inputs) {
            int own = widthOf(input);
            values.put(
                    input.name(),
                    new Rows(builder.slice(builder.input(), from, own), input.dims().size() == 2));
            from += own;
        }
    }

    private int widthOf(OnnxGraph.Input input) {
        String what = "input '" + input.name() + "'";
        if (input.type() != OnnxTensor.FLOAT) {
            throw problem(
                    what,
                    "is of type " + OnnxTensor.typeName(input.type()),
                    "export it with inputs of floats");
        }
        List<Long> dims = input.dims();
        long width = dims == null || dims.size() < 2 ? 0 : 1;
        for (int i = 1; width > 0 && i < dims.size(); i++) {
            long dim = dims.get(i);
            width = dim < 1 || dim > Integer.MAX_VALUE ? 0 : width * dim;
            width = width > Integer.MAX_VALUE ? 0 : width;
        }
        if (width == 0) {
            throw problem(
                    what,
                    "has no fixed number of values a row: shape=" + dims,
                    "export it with a batch dimension and fixed sizes behind it");
        }
        return (int) width;
    }

    private void read(OnnxNode node) {
        if (!node.domain().isEmpty() && !node.domain().equals("ai.onnx")) {
            throw problem(node, "is of domain " + node.domain(), "export with ONNX's operators");
        }
        if (node.outputs().isEmpty()) {
            throw problem(node, "has no output", "export the model again");
        }
        try {
            switch (node.operator()) {
                case "MatMul" -> put(node, matMul(node));
                case "Gemm" -> put(node, gemm(node));
                case "Add" -> put(node, combine(node, false));
                case "Mul" -> put(node, combine(node, true));
                case "Relu" -> put(node, builder.relu(flat(node, 0)));
                case "Sigmoid" -> put(node, builder.sigmoid(flat(node, 0)));
                case "Concat" -> put(node, concat(node));
                case "Reshape" -> reshape(node);
                case "Cast" -> cast(node);
                case "Identity" -> same(node);
                case "Constant" -> constant(node);
                default ->
                        throw problem(
                                node,
                                "is of no operator that is supported",
                                "use MatMul, Gemm, Add, Mul, Relu, Sigmoid, Concat, Reshape, Cast or"
                                        + " Constant, or leave it out of the export");
            }
        } catch (OnnxException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new OnnxException(file + ": node " + node.label() + ": " + e.getMessage(), e);
        }
    }

    private DenseValue matMul(OnnxNode node) {
        return builder.linear(flat(node, 0), constants.matrix(node, name(node, 1)), null);
    }

    private DenseValue gemm(OnnxNode node) {
        if (node.number("alpha", 1) != 1
                || node.number("beta", 1) != 1
                || node.integer("transA", 0) != 0) {
            throw problem(
                    node,
                    "has alpha, beta or transA",
                    "export it with alpha=1, beta=1 and transA=0");
        }
        DenseMatrix weights = constants.matrix(node, name(node, 1));
        weights = node.integer("transB", 0) == 0 ? weights : weights.transposed();
        float[] bias = null;
        if (node.inputs().size() > 2 && !node.inputs().get(2).isEmpty()) {
            bias = constants.vector(node, name(node, 2));
            if (bias.length == 1) {
                float[] all = new float[weights.columns()];
                Arrays.fill(all, bias[0]);
                bias = all;
            }
        }
        return builder.linear(flat(node, 0), weights, bias);
    }

    private DenseValue combine(OnnxNode node, boolean multiplies) {
        DenseValue left = operand(node, 0);
        DenseValue right = operand(node, 1);
        return multiplies ? builder.product(left, right) : builder.sum(left, right);
    }

    private DenseValue operand(OnnxNode node, int index) {
        return constants.has(name(node, index))
                ? builder.constant(constants.vector(node, name(node, index)))
                : flat(node, index);
    }

    private DenseValue concat(OnnxNode node) {
        long axis = node.integer("axis", Long.MAX_VALUE);
        if (axis != 1 && axis != -1) {
            throw problem(node, "has axis=" + axis, "concatenate along axis 1");
        }
        DenseValue[] parts = new DenseValue[node.inputs().size()];
        Arrays.setAll(parts, i -> flat(node, i));
        return builder.concat(parts);
    }

    private void reshape(OnnxNode node) {
        DenseValue value = rows(node, 0).value();
        OnnxTensor shape = constants.tensor(node, name(node, 1));
        long[] dims = shape.toLongs();
        long known = 1;
        int open = 0;
        for (int i = 1; dims != null && i < dims.length; i++) {
            known *= dims[i] == -1 ? 1 : dims[i];
            open += dims[i] == -1 ? 1 : 0;
        }
        boolean keepsRows =
                dims != null
                        && dims.length > 1
                        && known > 0
                        && (dims[0] == -1 && open == 0 && known == value.width()
                                || dims[0] == 0
                                        && (open == 0 && known == value.width()
                                                || open == 1 && value.width() % known == 0));
        if (!keepsRows) {
            throw problem(
                    node,
                    "does not leave each row its "
                            + value.width()
                            + " numbers: shape="
                            + Arrays.toString(dims),
                    "reshape to [-1, " + value.width() + "]");
        }
        values.put(node.outputs().get(0), new Rows(value, dims.length == 2));
    }

    private void cast(OnnxNode node) {
        if (node.integer("to", 0) != OnnxTensor.FLOAT) {
            throw problem(
                    node,
                    "casts to " + OnnxTensor.typeName((int) node.integer("to", 0)),
                    "export it in floats");
        }
        same(node);
    }

    private void same(OnnxNode node) {
        String input = name(node, 0);
        if (constants.has(input)) {
            constants.put(node.outputs().get(0), constants.tensor(node, input));
        } else {
            values.put(node.outputs().get(0), rows(node, 0));
        }
    }

    private void constant(OnnxNode node) {
        Object value = node.attributes().get("value");
        OnnxTensor tensor =
                value instanceof OnnxTensor given
                        ? given
                        : node.attributes().get("value_float") instanceof Float single
                                ? new OnnxTensor(
                                        "",
                                        List.of(),
                                        OnnxTensor.FLOAT,
                                        null,
                                        List.of(single),
                                        List.of(),
                                        false)
                                : null;
        if (tensor == null) {
            throw problem(node, "has no tensor of values", "export it as an initializer");
        }
        constants.put(node.outputs().get(0), tensor);
    }

    private void put(OnnxNode node, DenseValue value) {
        values.put(node.outputs().get(0), new Rows(value, true));
    }

    private String name(OnnxNode node, int index) {
        if (index >= node.inputs().size()) {
            throw problem(node, "has too few inputs", "export the model again");
        }
        return node.inputs().get(index);
    }

    private Rows rows(OnnxNode node, int index) {
        String name = name(node, index);
        Rows rows = values.get(name);
        if (rows == null) {
            throw problem(
                    node,
                    constants.has(name)
                            ? "reads constant '" + name + "' in place of rows"
                            : "reads '" + name + "', which is not there",
                    "export the model again, with constants folded");
        }
        return rows;
    }

    private DenseValue flat(OnnxNode node, int index) {
        Rows rows = rows(node, index);
        if (!rows.isFlat()) {
            throw problem(
                    node,
                    "reads '" + name(node, index) + "', whose rows have several dimensions",
                    "reshape it to [-1, " + rows.value().width() + "] before");
        }
        return rows.value();
    }

    private OnnxException problem(OnnxNode node, String what, String remedy) {
        return problem("node " + node.label(), what, remedy);
    }

    private OnnxException problem(String where, String what, String remedy) {
        return OnnxException.of(file, where, what, remedy);
    }
}
