package io.flinkgpu.cells;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of an {@code HllSketch} of Apache DataSketches, compact and with registers of 8 bits (HLL_8),
 * for its {@code heapify} and its {@code Union}. It is marked as made out of order, so that the estimate
 * there is made of the registers.
 *
 * <pre>
 *   byte 0   words of 32 bits before the data: 2 list, 3 set, 10 registers
 *   byte 1   version 1 | 2: family 7 | 3: lgK | 4: lg of the places of a set | 5: flags
 *   byte 6   list: how many coupons | 7: mode (0 list, 1 set, 2 registers) and the type of registers (8)
 *   set      how many coupons (4)
 *   list, set   coupons (4 each)
 *   registers   0.0 | sums of 2^-rank, of ranks below 32 and of the others (8 each) | how many are 0 (4)
 *               | 0 (4) | registers (1 each)
 * </pre>
 */
final class HllImage {

    private static final int VERSION = 1;
    private static final int FAMILY = 7;
    private static final int COMPACT = 8;
    private static final int OUT_OF_ORDER = 16;
    private static final int HLL_8 = 8;
    private static final int SET = 1;
    private static final int REGISTERS = 2;
    private static final int MOST_LISTED = 7;
    private static final int LIST_LG = 3;
    private static final int LEAST_SET_LG = 5;
    private static final int HEAD_BYTES = 8;
    private static final int REGISTERS_AT = 40;
    private static final int SPLIT_RANK = 32;

    private HllImage() {}

    /** Of a cell of a {@link DistinctSketch}. */
    static byte[] of(int lgK, byte[] cell, int at, int length) {
        if (cell[at] == DistinctSketch.MANY) {
            return ofRegisters(lgK, cell, at + 1, length - 1);
        }
        int count = length / Integer.BYTES;
        boolean listed = count <= MOST_LISTED;
        int dataAt = listed ? HEAD_BYTES : HEAD_BYTES + Integer.BYTES;
        byte[] image = new byte[dataAt + Integer.BYTES * count];
        head(image, dataAt, lgK, listed ? LIST_LG : setLg(count), COMPACT, listed ? 0 : SET);
        if (listed) {
            image[6] = (byte) count;
        } else {
            words(image).putInt(HEAD_BYTES, count);
        }
        System.arraycopy(cell, at + 1, image, dataAt, Integer.BYTES * count);
        return image;
    }

    private static int setLg(int count) {
        int lg = LEAST_SET_LG;
        while (4L * count > 3L << lg) {
            lg++;
        }
        return lg;
    }

    private static byte[] ofRegisters(int lgK, byte[] cell, int at, int length) {
        double small = 0;
        double great = 0;
        int zeros = 0;
        for (int i = 0; i < length; i++) {
            int rank = cell[at + i];
            zeros += rank == 0 ? 1 : 0;
            if (rank < SPLIT_RANK) {
                small += Math.scalb(1.0, -rank);
            } else {
                great += Math.scalb(1.0, -rank);
            }
        }
        byte[] image = new byte[REGISTERS_AT + length];
        head(image, REGISTERS_AT, lgK, 0, OUT_OF_ORDER, REGISTERS);
        words(image).putDouble(16, small).putDouble(24, great).putInt(32, zeros);
        System.arraycopy(cell, at, image, REGISTERS_AT, length);
        return image;
    }

    private static void head(byte[] image, int dataAt, int lgK, int lg, int flags, int mode) {
        image[0] = (byte) (dataAt / Integer.BYTES);
        image[1] = VERSION;
        image[2] = FAMILY;
        image[3] = (byte) lgK;
        image[4] = (byte) lg;
        image[5] = (byte) flags;
        image[7] = (byte) (mode | HLL_8);
    }

    private static ByteBuffer words(byte[] image) {
        return ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    }
}
