package io.flinkgpu.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * A constant of a model.
 *
 * @param type as ONNX numbers them
 * @param raw little-endian values; null where they are in one of the lists
 */
record OnnxTensor(
        String name,
        List<Long> dims,
        int type,
        byte[] raw,
        List<Float> floats,
        List<Long> longs,
        boolean isExternal) {

    static final int FLOAT = 1;
    static final int INT64 = 7;

    private static final List<String> TYPES =
            List.of(
                    "UNDEFINED",
                    "FLOAT",
                    "UINT8",
                    "INT8",
                    "UINT16",
                    "INT16",
                    "INT32",
                    "INT64",
                    "STRING",
                    "BOOL",
                    "FLOAT16",
                    "DOUBLE",
                    "UINT32",
                    "UINT64",
                    "COMPLEX64",
                    "COMPLEX128",
                    "BFLOAT16");

    /** The name of a type, for errors. */
    static String typeName(int type) {
        return type >= 0 && type < TYPES.size() ? TYPES.get(type) : "number " + type;
    }

    OnnxTensor named(String other) {
        return new OnnxTensor(other, dims, type, raw, floats, longs, isExternal);
    }

    /** How many values its dimensions say; -1 if no array has as many. */
    int size() {
        long size = 1;
        for (long dim : dims) {
            if (dim < 0 || dim > Integer.MAX_VALUE || size * dim > Integer.MAX_VALUE) {
                return -1;
            }
            size *= dim;
        }
        return (int) size;
    }

    /** Its floats; null if they are of another type or number. */
    float[] toFloats() {
        if (type != FLOAT || size() < 0) {
            return null;
        }
        float[] values = new float[raw == null ? floats.size() : raw.length / Float.BYTES];
        if (raw == null) {
            for (int i = 0; i < values.length; i++) {
                values[i] = floats.get(i);
            }
        } else if (raw.length % Float.BYTES != 0) {
            return null;
        } else {
            little(raw).asFloatBuffer().get(values);
        }
        return values.length == size() ? values : null;
    }

    /** Its integers of 64 bits; null if they are of another type or number. */
    long[] toLongs() {
        if (type != INT64 || size() < 0) {
            return null;
        }
        long[] values = new long[raw == null ? longs.size() : raw.length / Long.BYTES];
        if (raw == null) {
            Arrays.setAll(values, longs::get);
        } else {
            little(raw).asLongBuffer().get(values);
        }
        return values.length == size() ? values : null;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
