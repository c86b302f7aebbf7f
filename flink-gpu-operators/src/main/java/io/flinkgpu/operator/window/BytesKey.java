package io.flinkgpu.operator.window;

import java.util.Arrays;

/** A key of bytes, compared by content. Immutable. */
final class BytesKey {

    private final byte[] bytes;

    private BytesKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A key of a copy of the bytes. */
    static BytesKey copyOf(byte[] bytes) {
        return new BytesKey(bytes.clone());
    }

    /** A key of these bytes, which must not change any more. */
    static BytesKey of(byte[] bytes) {
        return new BytesKey(bytes);
    }

    /** The bytes, not a copy: not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BytesKey that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "BytesKey[bytes=" + bytes.length + "]";
    }
}
