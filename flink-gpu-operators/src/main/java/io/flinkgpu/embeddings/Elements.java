package io.flinkgpu.embeddings;

import io.flinkgpu.api.lookup.ElementType;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Vectors as bytes, and as 32-bit floats. */
@Internal
public final class Elements {

    private Elements() {}

    /**
     * Widens a vector.
     *
     * @param address of its bytes, as {@link ElementType#vectorBytes} says
     */
    public static void widen(ElementType type, long address, float[] target, int dimension) {
        switch (type) {
            case F32 -> {
                for (int i = 0; i < dimension; i++) {
                    target[i] = Float.intBitsToFloat(MemoryUtil.getInt(address + 4L * i));
                }
            }
            case F16 -> {
                for (int i = 0; i < dimension; i++) {
                    target[i] = ofF16(MemoryUtil.getShort(address + 2L * i));
                }
            }
            case BF16 -> {
                for (int i = 0; i < dimension; i++) {
                    target[i] = ofBf16(MemoryUtil.getShort(address + 2L * i));
                }
            }
            case INT8 -> {
                float scale = Float.intBitsToFloat(MemoryUtil.getInt(address));
                float bias = Float.intBitsToFloat(MemoryUtil.getInt(address + Float.BYTES));
                long bytes = address + ElementType.QUANTIZATION_BYTES;
                for (int i = 0; i < dimension; i++) {
                    target[i] = MemoryUtil.getByte(bytes + i) * scale + bias;
                }
            }
        }
    }

    /** A binary16, exactly. */
    public static float ofF16(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = bits >>> 10 & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 0) {
            return Float.intBitsToFloat(Float.floatToRawIntBits(fraction * 0x1p-24f) | sign);
        }
        int widened = exponent == 0x1f ? 0xff : exponent + 112;
        return Float.intBitsToFloat(sign | widened << 23 | fraction << 13);
    }

    /** The upper half of a binary32, exactly. */
    public static float ofBf16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /** The nearest binary16, an even one of two. */
    public static short toF16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & 0x8000;
        int absolute = bits & 0x7fff_ffff;
        if (absolute > 0x7f80_0000) {
            return (short) (sign | 0x7e00 | absolute >>> 13 & 0x3ff);
        }
        if (absolute >= 0x477f_f000) {
            return (short) (sign | 0x7c00);
        }
        if (absolute < 0x3880_0000) {
            return (short) (sign | (int) Math.rint(Float.intBitsToFloat(absolute) * 0x1p24f));
        }
        int rounded = absolute + 0xfff + (absolute >>> 13 & 1);
        return (short) (sign | rounded - 0x3800_0000 >>> 13);
    }

    /** The nearest upper half of a binary32, an even one of two. */
    public static short toBf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) (bits >>> 16 | 0x40);
        }
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }

    /**
     * The bytes of a vector.
     *
     * @param type not INT8, whose vectors have a scale
     */
    public static byte[] narrow(ElementType type, float[] values) {
        ByteBuffer bytes =
                ByteBuffer.allocate(type.vectorBytes(values.length)).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            switch (type) {
                case F32 -> bytes.putInt(Float.floatToRawIntBits(value));
                case F16 -> bytes.putShort(toF16(value));
                case BF16 -> bytes.putShort(toBf16(value));
                case INT8 -> throw new IllegalArgumentException("INT8 has a scale: type=" + type);
            }
        }
        return bytes.array();
    }
}
