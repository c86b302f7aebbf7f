package io.flinkgpu.cells;

import java.util.List;
import java.util.Random;

/** Cells made of contributions, in a random tree of merges. */
final class Merging {

    private Merging() {}

    /** What a function keeps of some contributions. */
    static byte[] merged(CellFunction function, List<byte[]> contributions, Random random) {
        HeapCell cell = new HeapCell();
        if (contributions.size() > 1 && random.nextInt(3) > 0) {
            int cut = 1 + random.nextInt(contributions.size() - 1);
            add(function, cell, merged(function, contributions.subList(0, cut), random));
            add(
                    function,
                    cell,
                    merged(function, contributions.subList(cut, contributions.size()), random));
        } else {
            contributions.forEach(contribution -> add(function, cell, contribution));
        }
        CellBytes bytes = new CellBytes();
        cell.read(bytes);
        byte[] merged = new byte[bytes.length()];
        System.arraycopy(bytes.array(), bytes.at(), merged, 0, merged.length);
        return merged;
    }

    private static void add(CellFunction function, HeapCell cell, byte[] more) {
        // Not where an array begins.
        byte[] moved = new byte[more.length + 5];
        System.arraycopy(more, 0, moved, 3, more.length);
        int most = function.mostBytes(cell.length(), more.length);
        function.merge(cell, moved, 3, more.length);
        if (cell.length() > most) {
            throw new AssertionError("length=" + cell.length() + ", most=" + most);
        }
    }
}
