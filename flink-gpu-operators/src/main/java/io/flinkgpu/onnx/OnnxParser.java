package io.flinkgpu.onnx;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the wire format of ONNX: the fields of its messages that are of use, by their numbers in the
 * specification; all others are skipped.
 */
final class OnnxParser {

    private static final int FLOAT_VALUE = 1;
    private static final int INT_VALUE = 2;
    private static final int TENSOR_VALUE = 4;

    private final CodedInputStream in;

    private OnnxParser(CodedInputStream in) {
        this.in = in;
    }

    /**
     * Reads a model.
     *
     * @throws IOException if the bytes are none, or end early
     */
    static OnnxGraph parse(byte[] bytes) throws IOException {
        return new OnnxParser(CodedInputStream.newInstance(bytes)).model();
    }

    /** What is done with a field. */
    private interface Field {
        /** Whether it was read. */
        boolean read(int number) throws IOException;
    }

    /** Reads one of several values. */
    private interface Value<T> {
        T read() throws IOException;
    }

    private void fields(Field field) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (!field.read(WireFormat.getTagFieldNumber(tag))) {
                in.skipField(tag);
            }
        }
    }

    /** The fields of a message within this one. */
    private void message(Field field) throws IOException {
        int limit = in.pushLimit(in.readRawVarint32());
        fields(field);
        in.popLimit(limit);
    }

    private OnnxGraph model() throws IOException {
        OnnxGraph[] graph = new OnnxGraph[1];
        long[] opset = new long[1];
        fields(
                number -> {
                    switch (number) {
                        case 7 -> graph[0] = graph();
                        case 8 -> opset(opset);
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        OnnxGraph read = graph[0];
        if (read == null) {
            throw new IOException("it has no graph");
        }
        return new OnnxGraph(
                opset[0], read.nodes(), read.constants(), read.inputs(), read.outputs());
    }

    private void opset(long[] version) throws IOException {
        String[] domain = {""};
        long[] of = new long[1];
        message(
                number -> {
                    switch (number) {
                        case 1 -> domain[0] = in.readString();
                        case 2 -> of[0] = in.readInt64();
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        if (domain[0].isEmpty() || domain[0].equals("ai.onnx")) {
            version[0] = of[0];
        }
    }

    private OnnxGraph graph() throws IOException {
        List<OnnxNode> nodes = new ArrayList<>();
        Map<String, OnnxTensor> constants = new HashMap<>();
        List<OnnxGraph.Input> inputs = new ArrayList<>();
        List<OnnxGraph.Input> outputs = new ArrayList<>();
        message(
                number -> {
                    switch (number) {
                        case 1 -> nodes.add(node(nodes.size()));
                        case 5 -> {
                            OnnxTensor tensor = tensor();
                            constants.put(tensor.name(), tensor);
                        }
                        case 11 -> inputs.add(input());
                        case 12 -> outputs.add(input());
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        List<String> given = outputs.stream().map(OnnxGraph.Input::name).toList();
        return new OnnxGraph(0, nodes, constants, inputs, given);
    }

    private OnnxNode node(int index) throws IOException {
        List<String> inputs = new ArrayList<>();
        List<String> outputs = new ArrayList<>();
        Map<String, Object> attributes = new HashMap<>();
        String[] texts = {"", "", ""};
        message(
                number -> {
                    switch (number) {
                        case 1 -> inputs.add(in.readString());
                        case 2 -> outputs.add(in.readString());
                        case 3 -> texts[0] = in.readString();
                        case 4 -> texts[1] = in.readString();
                        case 5 -> attribute(attributes);
                        case 7 -> texts[2] = in.readString();
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        String name = texts[0].isEmpty() ? "number " + index : "'" + texts[0] + "'";
        String label = name + " (" + texts[1] + ")";
        return new OnnxNode(label, texts[2], texts[1], inputs, outputs, attributes);
    }

    private void attribute(Map<String, Object> attributes) throws IOException {
        String[] name = {""};
        Object[] value = {""};
        int[] type = {0};
        message(
                number -> {
                    switch (number) {
                        case 1 -> name[0] = in.readString();
                        case 2 -> value[0] = in.readFloat();
                        case 3 -> value[0] = in.readInt64();
                        case 5 -> value[0] = tensor();
                        case 20 -> type[0] = in.readEnum();
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        // What is zero may be left out.
        if (value[0].equals("") && type[0] == INT_VALUE) {
            value[0] = 0L;
        } else if (value[0].equals("") && type[0] == FLOAT_VALUE) {
            value[0] = 0f;
        } else if (value[0].equals("") && type[0] == TENSOR_VALUE) {
            throw new IOException("attribute " + name[0] + " has no tensor");
        }
        attributes.put(name[0], value[0]);
    }

    private OnnxTensor tensor() throws IOException {
        List<Long> dims = new ArrayList<>();
        List<Float> floats = new ArrayList<>();
        List<Long> longs = new ArrayList<>();
        String[] name = {""};
        int[] type = {0, 0};
        byte[][] raw = new byte[1][];
        int limit = in.pushLimit(in.readRawVarint32());
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> values(tag, dims, in::readInt64);
                case 2 -> type[0] = in.readInt32();
                case 4 -> values(tag, floats, in::readFloat);
                case 7 -> values(tag, longs, in::readInt64);
                case 8 -> name[0] = in.readString();
                case 9 -> raw[0] = in.readByteArray();
                case 14 -> type[1] = in.readEnum();
                default -> in.skipField(tag);
            }
        }
        in.popLimit(limit);
        return new OnnxTensor(name[0], dims, type[0], raw[0], floats, longs, type[1] != 0);
    }

    /** One, or as many as fit in a packed field. */
    private <T> void values(int tag, List<T> values, Value<T> value) throws IOException {
        if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
            int limit = in.pushLimit(in.readRawVarint32());
            while (in.getBytesUntilLimit() > 0) {
                values.add(value.read());
            }
            in.popLimit(limit);
        } else {
            values.add(value.read());
        }
    }

    private OnnxGraph.Input input() throws IOException {
        String[] name = {""};
        int[] type = {0};
        List<List<Long>> shape = new ArrayList<>();
        message(
                number -> {
                    switch (number) {
                        case 1 -> name[0] = in.readString();
                        case 2 -> message(kind -> kind == 1 && tensorType(type, shape));
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        return new OnnxGraph.Input(name[0], type[0], shape.isEmpty() ? null : shape.get(0));
    }

    private boolean tensorType(int[] type, List<List<Long>> shape) throws IOException {
        message(
                number -> {
                    switch (number) {
                        case 1 -> type[0] = in.readInt32();
                        case 2 -> {
                            List<Long> dims = new ArrayList<>();
                            message(field -> field == 1 && dim(dims));
                            shape.add(dims);
                        }
                        default -> {
                            return false;
                        }
                    }
                    return true;
                });
        return true;
    }

    private boolean dim(List<Long> dims) throws IOException {
        long[] size = {-1};
        message(
                number -> {
                    if (number != 1) {
                        return false;
                    }
                    size[0] = in.readInt64();
                    return true;
                });
        dims.add(size[0]);
        return true;
    }
}
