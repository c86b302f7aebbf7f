package io.flinkgpu.backend.cpu;

/** Instructions that tell something of a text, one loop each. */
final class TextTests {

    private TextTests() {}

    static void equal(Slices a, Slices b, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if ((length | b.lengths[row]) < 0) {
                to[row] = Conditions.NULL;
            } else {
                to[row] =
                        Conditions.of(
                                length == b.lengths[row]
                                        && Bytes.equal(a.starts[row], b.starts[row], length));
            }
        }
    }

    static void contains(Slices a, Slices b, TextSearch search, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int what = b.lengths[row];
            to[row] =
                    (length | what) < 0
                            ? Conditions.NULL
                            : Conditions.of(
                                    search.find(a.starts[row], length, 0, b.starts[row], what)
                                            >= 0);
        }
    }

    static void startsWith(Slices a, Slices b, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int what = b.lengths[row];
            to[row] =
                    (length | what) < 0
                            ? Conditions.NULL
                            : Conditions.of(
                                    what <= length
                                            && Bytes.equal(a.starts[row], b.starts[row], what));
        }
    }

    static void endsWith(Slices a, Slices b, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int what = b.lengths[row];
            long end = a.starts[row] + length;
            to[row] =
                    (length | what) < 0
                            ? Conditions.NULL
                            : Conditions.of(
                                    what <= length && Bytes.equal(end - what, b.starts[row], what));
        }
    }

    static void isEmpty(Slices a, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = a.lengths[row] < 0 ? Conditions.NULL : Conditions.of(a.lengths[row] == 0);
        }
    }

    static void isNull(Slices a, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            to[row] = Conditions.of(a.lengths[row] < 0);
        }
    }

    static void matches(Slices a, Automaton automaton, byte[] to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            to[row] =
                    length < 0
                            ? Conditions.NULL
                            : Conditions.of(automaton.matches(a.starts[row], length));
        }
    }

    static void length(Slices a, Numbers to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            to.nulls[row] = length < 0;
            to.words[row] = length < 0 ? 0 : CodePoints.count(a.starts[row], length);
        }
    }
}
