package io.flinkgpu.backend.cpu.transform;

/** Instructions on numbers, one loop each. */
final class NumberOps {

    private NumberOps() {}

    static void select(byte[] condition, Numbers x, Numbers y, Numbers to, int rows) {
        for (int row = 0; row < rows; row++) {
            Numbers chosen = condition[row] == Conditions.TRUE ? x : y;
            to.words[row] = chosen.words[row];
            to.nulls[row] = chosen.nulls[row];
        }
    }

    static void coalesce(Numbers x, Numbers y, Numbers to, int rows) {
        for (int row = 0; row < rows; row++) {
            Numbers chosen = x.nulls[row] ? y : x;
            to.words[row] = chosen.words[row];
            to.nulls[row] = chosen.nulls[row];
        }
    }

    static void equalLong(Numbers x, Numbers y, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = result(x, y, row, x.words[row] == y.words[row]);
        }
    }

    static void lessLong(Numbers x, Numbers y, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = result(x, y, row, x.words[row] < y.words[row]);
        }
    }

    static void equalDouble(Numbers x, Numbers y, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = result(x, y, row, doubleAt(x, row) == doubleAt(y, row));
        }
    }

    static void lessDouble(Numbers x, Numbers y, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = result(x, y, row, doubleAt(x, row) < doubleAt(y, row));
        }
    }

    static void isNull(Numbers x, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = Conditions.of(x.nulls[row]);
        }
    }

    private static double doubleAt(Numbers x, int row) {
        return Double.longBitsToDouble(x.words[row]);
    }

    private static byte result(Numbers x, Numbers y, int row, boolean value) {
        return x.nulls[row] | y.nulls[row] ? Conditions.NULL : Conditions.of(value);
    }
}
