package io.flinkgpu.cells;

/**
 * MurmurHash3, the variant of 128 bits for 64-bit machines (A. Appleby, 2011, public domain), with the
 * seed that Apache DataSketches has.
 */
final class MurmurHash {

    private static final long SEED = 9001;
    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;
    private static final int BLOCK = 2 * Long.BYTES;

    private final long low;
    private final long high;

    private MurmurHash(long h1, long h2, int length) {
        long one = h1 ^ length;
        long two = h2 ^ length;
        one += two;
        two += one;
        one = finish(one);
        two = finish(two);
        low = one + two;
        high = two + low;
    }

    /** Of a long's eight bytes, the least first. */
    static MurmurHash of(long word) {
        return new MurmurHash(SEED ^ mix1(word), SEED, Long.BYTES);
    }

    static MurmurHash of(byte[] bytes, int at, int length) {
        long h1 = SEED;
        long h2 = SEED;
        int end = at + length;
        int next = at;
        for (; end - next >= BLOCK; next += BLOCK) {
            h1 ^= mix1((long) HeapCell.LONGS.get(bytes, next));
            h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
            h2 ^= mix2((long) HeapCell.LONGS.get(bytes, next + Long.BYTES));
            h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
        }
        h2 ^= mix2(word(bytes, next + Long.BYTES, end));
        h1 ^= mix1(word(bytes, next, Math.min(end, next + Long.BYTES)));
        return new MurmurHash(h1, h2, length);
    }

    /** The bytes up to an end, fewer than eight or just as many; 0 if there are none. */
    private static long word(byte[] bytes, int from, int end) {
        long word = 0;
        for (int i = end - 1; i >= from; i--) {
            word = word << Byte.SIZE | bytes[i] & 0xff;
        }
        return word;
    }

    private static long mix1(long word) {
        return Long.rotateLeft(word * C1, 31) * C2;
    }

    private static long mix2(long word) {
        return Long.rotateLeft(word * C2, 33) * C1;
    }

    private static long finish(long hash) {
        long mixed = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }

    long low() {
        return low;
    }

    long high() {
        return high;
    }
}
