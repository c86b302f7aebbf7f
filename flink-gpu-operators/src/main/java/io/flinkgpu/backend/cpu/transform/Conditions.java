package io.flinkgpu.backend.cpu.transform;

import org.apache.flink.annotation.Internal;

/** Three-valued logic over the rows of a block, one loop an instruction; a row is a byte. */
@Internal
public final class Conditions {

    static final byte FALSE = 0;
    public static final byte TRUE = 1;
    public static final byte NULL = 2;

    private Conditions() {}

    public static byte of(boolean value) {
        return value ? TRUE : FALSE;
    }

    static void and(byte[] x, byte[] y, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            boolean isFalse = x[row] == FALSE || y[row] == FALSE;
            to[row] = isFalse ? FALSE : (byte) (x[row] | y[row]) == TRUE ? TRUE : NULL;
        }
    }

    static void or(byte[] x, byte[] y, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            boolean isTrue = x[row] == TRUE || y[row] == TRUE;
            to[row] = isTrue ? TRUE : (byte) (x[row] | y[row]) == FALSE ? FALSE : NULL;
        }
    }

    static void not(byte[] x, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = x[row] == NULL ? NULL : (byte) (x[row] ^ TRUE);
        }
    }

    /** Whether it is true, or whether it is null. */
    static void is(byte wanted, byte[] x, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = of(x[row] == wanted);
        }
    }

    static void select(byte[] condition, byte[] x, byte[] y, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = condition[row] == TRUE ? x[row] : y[row];
        }
    }

    static void coalesce(byte[] x, byte[] y, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = x[row] != NULL ? x[row] : y[row];
        }
    }
}
