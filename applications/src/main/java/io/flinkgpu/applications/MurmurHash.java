package io.flinkgpu.applications;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash3_x86_32 by Austin Appleby with seed 0: the same 32 bits as in other languages. */
final class MurmurHash {

    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private MurmurHash() {}

    /** The hash of the bytes from {@code start} to before {@code end}. */
    static int of(byte[] bytes, int start, int end) {
        int hash = 0;
        int at = start;
        for (; at + Integer.BYTES <= end; at += Integer.BYTES) {
            hash ^= spread((int) INTS.get(bytes, at));
            hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
        }
        int rest = 0;
        for (int i = end - 1; i >= at; i--) {
            rest = rest << Byte.SIZE | bytes[i] & 0xff;
        }
        hash ^= spread(rest) ^ end - start;
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    private static int spread(int word) {
        return Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593;
    }
}
