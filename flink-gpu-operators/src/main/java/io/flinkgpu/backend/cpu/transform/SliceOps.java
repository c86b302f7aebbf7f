package io.flinkgpu.backend.cpu.transform;

import io.flinkgpu.backend.cpu.bytes.CodePoints;

import org.apache.flink.annotation.Internal;

import org.apache.arrow.memory.util.MemoryUtil;

/** Instructions whose result is a part of a text, one loop each. */
@Internal
public final class SliceOps {

    private SliceOps() {}

    static void substring(Slices a, long number, int count, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if (length < 0) {
                to.putNull(row);
                continue;
            }
            long start = a.starts[row];
            long end = start + length;
            long from = CodePoints.skip(start, end, number - 1);
            to.put(row, from, (int) (CodePoints.skip(from, end, count) - from));
        }
    }

    static void left(Slices a, int count, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if (length < 0) {
                to.putNull(row);
                continue;
            }
            long start = a.starts[row];
            to.put(row, start, (int) (CodePoints.skip(start, start + length, count) - start));
        }
    }

    static void right(Slices a, int count, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if (length < 0) {
                to.putNull(row);
                continue;
            }
            long end = a.starts[row] + length;
            long from = CodePoints.skipBack(a.starts[row], end, count);
            to.put(row, from, (int) (end - from));
        }
    }

    static void split(
            Slices a, Slices b, TextSearch search, Slices before, Slices after, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int separator = b.lengths[row];
            long start = a.starts[row];
            if ((length | separator) < 0) {
                before.putNull(row);
                after.putNull(row);
                continue;
            }
            int at = search.find(start, length, 0, b.starts[row], separator);
            int from = at < 0 ? 0 : at + separator;
            before.put(row, start, at < 0 ? length : at);
            after.put(row, start + from, length - from);
        }
    }

    static void splitPart(Slices a, Slices b, int number, TextSearch search, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            int separator = b.lengths[row];
            if ((length | separator) < 0) {
                to.putNull(row);
                continue;
            }
            long start = a.starts[row];
            int from = startOfPart(number, start, length, b.starts[row], separator, search);
            if (from < 0) {
                to.putNull(row);
                continue;
            }
            int at = search.find(start, length, from, b.starts[row], separator);
            to.put(row, start + from, (at < 0 ? length : at) - from);
        }
    }

    private static int startOfPart(
            int number, long text, int length, long what, int whatLength, TextSearch search) {
        int from = 0;
        for (int part = 1; part < number; part++) {
            int at = search.find(text, length, from, what, whatLength);
            if (at < 0) {
                return -1;
            }
            from = at + whatLength;
        }
        return from;
    }

    static void trim(Slices a, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            int length = a.lengths[row];
            if (length < 0) {
                to.putNull(row);
                continue;
            }
            long start = a.starts[row];
            long end = start + length;
            while (start < end && MemoryUtil.getByte(start) == ' ') {
                start++;
            }
            while (start < end && MemoryUtil.getByte(end - 1) == ' ') {
                end--;
            }
            to.put(row, start, (int) (end - start));
        }
    }

    static void select(byte[] condition, Slices a, Slices b, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            Slices chosen = condition[row] == Conditions.TRUE ? a : b;
            to.put(row, chosen.starts[row], chosen.lengths[row]);
        }
    }

    static void coalesce(Slices a, Slices b, Slices to, int rows) {
        for (int row = 0; row < rows; row++) {
            Slices chosen = a.lengths[row] >= 0 ? a : b;
            to.put(row, chosen.starts[row], chosen.lengths[row]);
        }
    }
}
