package io.flinkgpu.cells;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * Keeps the {@link Entries} of the greatest rows: how many there are (4 bytes, the least first), and the
 * entries, the best one last. So whether a row is among them is seen at the first of them.
 *
 * @param limit the most of them
 */
record GreatestRows(Entries entries, int limit) implements CellFunction {

    private static final long serialVersionUID = 1L;

    static final int HEAD_BYTES = Integer.BYTES;

    @Override
    public boolean isCell(byte[] bytes, int at, int length) {
        int end = at + length;
        if (length < HEAD_BYTES) {
            return false;
        }
        int next = at + HEAD_BYTES;
        int rows = (int) HeapCell.INTS.get(bytes, at);
        for (int left = rows; left > 0 && next >= 0; left--) {
            next = entries.end(bytes, next, end);
        }
        return rows > 0 && rows <= limit && next == end;
    }

    @Override
    public void merge(Cell into, byte[] more, int at, int length) {
        int added = (int) HeapCell.INTS.get(more, at);
        if (into.length() == 0) {
            into.resize(length);
            into.put(0, more, at, length);
        } else if (added > 1
                || into.getInt(0) < limit
                || compare(into, HEAD_BYTES, more, at + HEAD_BYTES) > 0) {
            mergeSorted(into, more, at, length);
        }
    }

    private int compare(Cell a, int aAt, byte[] b, int bAt) {
        return entries.compare(a, aAt, b, bAt, true);
    }

    private void mergeSorted(Cell into, byte[] more, int at, int length) {
        byte[] merged = new byte[into.length() + length - HEAD_BYTES];
        int mine = into.getInt(0);
        int theirs = (int) HeapCell.INTS.get(more, at);
        int mineAt = HEAD_BYTES;
        int theirsAt = at + HEAD_BYTES;
        int tooMany = Math.max(0, mine + theirs - limit);
        int end = HEAD_BYTES;
        HeapCell.INTS.set(merged, 0, mine + theirs - tooMany);
        while (mine + theirs > 0) {
            boolean takesMine =
                    theirs == 0 || mine > 0 && compare(into, mineAt, more, theirsAt) >= 0;
            int bytes = takesMine ? entries.length(into, mineAt) : entries.length(more, theirsAt);
            if (tooMany > 0) {
                tooMany--;
            } else if (takesMine) {
                into.get(mineAt, merged, end, bytes);
                end += bytes;
            } else {
                System.arraycopy(more, theirsAt, merged, end, bytes);
                end += bytes;
            }
            if (takesMine) {
                mine--;
                mineAt += bytes;
            } else {
                theirs--;
                theirsAt += bytes;
            }
        }
        into.resize(end);
        into.put(0, merged, 0, end);
    }

    @Override
    public Object result(byte[] cell, int at, int length) {
        int rows = (int) HeapCell.INTS.get(cell, at);
        Object[] results = new Object[rows];
        int next = at + HEAD_BYTES;
        for (int i = rows - 1; i >= 0; i--) {
            results[i] = entries.result(cell, next);
            next += entries.length(cell, next);
        }
        return new ArrayList<>(Arrays.asList(results));
    }
}
