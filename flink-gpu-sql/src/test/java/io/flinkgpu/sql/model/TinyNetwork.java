package io.flinkgpu.sql.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** An ONNX file of one matrix. */
final class TinyNetwork {

    private static final int FLOAT = 1;

    private TinyNetwork() {}

    /**
     * Writes {@code y = x w}.
     *
     * @param weights row after row
     */
    static Path write(Path file, int inputs, int outputs, float... weights) throws IOException {
        ByteBuffer raw =
                ByteBuffer.allocate(Float.BYTES * weights.length).order(ByteOrder.LITTLE_ENDIAN);
        raw.asFloatBuffer().put(weights);
        byte[] matrix =
                join(
                        number(1, inputs),
                        number(1, outputs),
                        number(2, FLOAT),
                        text(8, "w"),
                        bytes(9, raw.array()));
        byte[] node = join(text(1, "x"), text(1, "w"), text(2, "y"), text(4, "MatMul"));
        byte[] graph =
                join(
                        bytes(1, node),
                        bytes(5, matrix),
                        bytes(11, rows("x", inputs)),
                        bytes(12, rows("y", outputs)));
        return Files.write(file, join(number(1, 8), bytes(7, graph), bytes(8, number(2, 13))));
    }

    private static byte[] rows(String name, int width) throws IOException {
        byte[] shape = join(bytes(1, text(2, "batch")), bytes(1, number(1, width)));
        byte[] tensor = join(number(1, FLOAT), bytes(2, shape));
        return join(text(1, name), bytes(2, bytes(1, tensor)));
    }

    private static byte[] number(int field, int value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        varint(out, field << 3);
        varint(out, value);
        return out.toByteArray();
    }

    private static byte[] text(int field, String value) throws IOException {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(int field, byte[] value) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        varint(out, field << 3 | 2);
        varint(out, value.length);
        out.write(value);
        return out.toByteArray();
    }

    private static void varint(ByteArrayOutputStream out, int value) {
        int rest = value;
        for (; rest >>> 7 != 0; rest >>>= 7) {
            out.write(rest & 0x7f | 0x80);
        }
        out.write(rest);
    }

    private static byte[] join(byte[]... parts) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part);
        }
        return out.toByteArray();
    }
}
