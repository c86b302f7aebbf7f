package io.flinkgpu.onnx;

import io.flinkgpu.testkit.DenseModel;
import io.flinkgpu.testkit.DenseModel.Kind;
import io.flinkgpu.testkit.DenseModel.Step;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Writes ONNX models: of networks, and of whatever nodes a test wants. */
public final class OnnxWriter {

    private static final int IR_VERSION = 8;

    private final List<byte[]> graph = new ArrayList<>();
    private long opset = 13;
    private int nodes;

    interface Message {
        void write(CodedOutputStream out) throws IOException;
    }

    OnnxWriter opset(long version) {
        opset = version;
        return this;
    }

    /** An input of floats; -1 is a dimension that is not fixed. */
    OnnxWriter input(String name, long... dims) {
        return typed(11, name, OnnxTensor.FLOAT, dims);
    }

    OnnxWriter inputOfType(String name, int type, long... dims) {
        return typed(11, name, type, dims);
    }

    OnnxWriter output(String name, long... dims) {
        return typed(12, name, OnnxTensor.FLOAT, dims);
    }

    private OnnxWriter typed(int field, String name, int type, long... dims) {
        byte[] shape =
                message(
                        out -> {
                            for (long dim : dims) {
                                out.writeByteArray(
                                        1,
                                        message(
                                                d -> {
                                                    if (dim < 0) {
                                                        d.writeString(2, "batch");
                                                    } else {
                                                        d.writeInt64(1, dim);
                                                    }
                                                }));
                            }
                        });
        byte[] tensor =
                message(
                        out -> {
                            out.writeInt32(1, type);
                            out.writeByteArray(2, shape);
                        });
        return field(
                field,
                out -> {
                    out.writeString(1, name);
                    out.writeByteArray(2, message(t -> t.writeByteArray(1, tensor)));
                });
    }

    OnnxWriter floats(String name, long[] dims, float... values) {
        return field(5, tensor(name, dims, values));
    }

    static Message tensor(String name, long[] dims, float... values) {
        ByteBuffer raw =
                ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asFloatBuffer().put(values);
        return out -> {
            for (long dim : dims) {
                out.writeInt64(1, dim);
            }
            out.writeInt32(2, OnnxTensor.FLOAT);
            out.writeString(8, name);
            out.writeBytes(9, ByteString.copyFrom(raw.array()));
        };
    }

    /** The same in a list of floats, packed or not. */
    OnnxWriter floatList(String name, long[] dims, boolean packed, float... values) {
        return field(
                5,
                out -> {
                    for (long dim : dims) {
                        out.writeInt64(1, dim);
                    }
                    out.writeInt32(2, OnnxTensor.FLOAT);
                    if (packed) {
                        out.writeByteArray(
                                4,
                                message(
                                        list -> {
                                            for (float value : values) {
                                                list.writeFloatNoTag(value);
                                            }
                                        }));
                    } else {
                        for (float value : values) {
                            out.writeFloat(4, value);
                        }
                    }
                    out.writeString(8, name);
                });
    }

    OnnxWriter longs(String name, long... values) {
        return field(
                5,
                out -> {
                    out.writeInt64(1, values.length);
                    out.writeInt32(2, OnnxTensor.INT64);
                    for (long value : values) {
                        out.writeInt64(7, value);
                    }
                    out.writeString(8, name);
                });
    }

    /** A tensor whose values are in another file. */
    OnnxWriter external(String name, long... dims) {
        return field(
                5,
                out -> {
                    for (long dim : dims) {
                        out.writeInt64(1, dim);
                    }
                    out.writeInt32(2, OnnxTensor.FLOAT);
                    out.writeString(8, name);
                    out.writeEnum(14, 1);
                });
    }

    /**
     * @param output null for none
     */
    OnnxWriter node(String operator, List<String> inputs, String output, Message... attributes) {
        return node(operator, "", inputs, output, attributes);
    }

    OnnxWriter node(
            String operator,
            String domain,
            List<String> inputs,
            String output,
            Message... attributes) {
        nodes++;
        return field(
                1,
                out -> {
                    for (String input : inputs) {
                        out.writeString(1, input);
                    }
                    if (output != null) {
                        out.writeString(2, output);
                    }
                    if (nodes % 2 == 0) {
                        out.writeString(3, "n" + output);
                    }
                    out.writeString(4, operator);
                    for (Message attribute : attributes) {
                        out.writeByteArray(5, message(attribute));
                    }
                    out.writeString(7, domain);
                });
    }

    static Message integer(String name, long value) {
        return out -> {
            out.writeString(1, name);
            out.writeInt64(3, value);
            out.writeEnum(20, 2);
        };
    }

    static Message number(String name, float value) {
        return out -> {
            out.writeString(1, name);
            out.writeFloat(2, value);
            out.writeEnum(20, 1);
        };
    }

    static Message tensorAttribute(long[] dims, float... values) {
        return out -> {
            out.writeString(1, "value");
            out.writeByteArray(5, message(tensor("", dims, values)));
            out.writeEnum(20, 4);
        };
    }

    private OnnxWriter field(int number, Message message) {
        graph.add(message(out -> out.writeByteArray(number, message(message))));
        return this;
    }

    byte[] toBytes() {
        byte[] inner =
                message(
                        out -> {
                            out.writeString(2, "network");
                            for (byte[] field : graph) {
                                out.writeRawBytes(field);
                            }
                        });
        return message(
                out -> {
                    out.writeInt64(1, IR_VERSION);
                    out.writeString(2, "test");
                    out.writeByteArray(7, inner);
                    out.writeByteArray(8, message(set -> set.writeInt64(2, opset)));
                });
    }

    private static byte[] message(Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            message.write(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** A network without slices, as a framework would export it. */
    public static byte[] of(DenseModel model) {
        OnnxWriter writer = new OnnxWriter().input("v0", -1, model.inputWidth());
        for (int i = 1; i <= model.steps().size(); i++) {
            writer.step(model, model.steps().get(i - 1), i);
        }
        int last = model.steps().size();
        return writer.output("v" + last, -1, model.width(last)).toBytes();
    }

    private void step(DenseModel model, Step step, int value) {
        String out = "v" + value;
        List<String> in = step.inputs().stream().map(input -> "v" + input).toList();
        long width = step.width();
        switch (step.kind()) {
            case LINEAR -> {
                long[] dims = {model.width(step.inputs().get(0)), width};
                floats("w" + value, dims, step.weights());
                if (step.bias() == null) {
                    node("MatMul", List.of(in.get(0), "w" + value), out);
                } else {
                    floats("b" + value, new long[] {width}, step.bias());
                    node("Gemm", List.of(in.get(0), "w" + value, "b" + value), out);
                }
            }
            case CROSS -> {
                floats("w" + value, new long[] {width, 1}, step.weights());
                floats("b" + value, new long[] {width}, step.bias());
                node("MatMul", List.of(in.get(1), "w" + value), out + "d");
                node("Mul", List.of(in.get(0), out + "d"), out + "p");
                node("Add", List.of(out + "p", "b" + value), out + "s");
                node("Add", List.of(out + "s", in.get(1)), out);
            }
            case ADD -> node("Add", in, out);
            case MULTIPLY -> node("Mul", in, out);
            case RELU -> node("Relu", in, out);
            case SIGMOID -> node("Sigmoid", in, out);
            case CONCAT -> node("Concat", in, out, integer("axis", 1));
            case CONSTANT ->
                    node(
                            "Constant",
                            List.of(),
                            out,
                            tensorAttribute(new long[] {1, width}, step.weights()));
            case SLICE -> throw new IllegalArgumentException("no slices here: kind=" + Kind.SLICE);
        }
    }
}
