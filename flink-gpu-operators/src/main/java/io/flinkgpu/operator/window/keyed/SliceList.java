package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.state.Partial;

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * The slices of one key, with their partials: ordered by their starts, and disjoint. Local sessions that
 * touch become one. Not thread-safe.
 */
final class SliceList {

    private final boolean session;
    private long[] starts;
    private long[] ends;
    private Partial[] partials;
    private int size;

    /** No slices. */
    SliceList(boolean session) {
        this(session, new long[1], new long[1], new Partial[1], 0);
    }

    private SliceList(boolean session, long[] starts, long[] ends, Partial[] partials, int size) {
        this.session = session;
        this.starts = starts;
        this.ends = ends;
        this.partials = partials;
        this.size = size;
    }

    int size() {
        return size;
    }

    long start(int index) {
        return starts[index];
    }

    long end(int index) {
        return ends[index];
    }

    Partial partial(int index) {
        return partials[index];
    }

    /**
     * The partial of a slice, to be added to.
     *
     * @param ifNone gives the partial that the list keeps if it has none for the slice
     */
    Partial partial(long start, long end, Supplier<Partial> ifNone) {
        int from = session ? lowerBound(ends, start) : lowerBound(starts, start);
        int to = from;
        if (session) {
            while (to < size && starts[to] <= end) {
                to++;
            }
        } else if (from < size && starts[from] == start) {
            to++;
        }
        if (from == to) {
            insert(from, start, end, ifNone.get());
        } else if (session) {
            unite(from, to, start, end);
        }
        return partials[from];
    }

    /** Removes the first slices, and gives them. */
    SliceList removeFirst(int count) {
        SliceList first =
                new SliceList(
                        session,
                        Arrays.copyOf(starts, count),
                        Arrays.copyOf(ends, count),
                        Arrays.copyOf(partials, count),
                        count);
        removeRange(0, count);
        return first;
    }

    private void unite(int from, int to, long start, long end) {
        starts[from] = Math.min(starts[from], start);
        ends[from] = Math.max(ends[to - 1], end);
        for (int i = from + 1; i < to; i++) {
            partials[from].merge(partials[i]);
        }
        removeRange(from + 1, to);
    }

    private void insert(int index, long start, long end, Partial partial) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
            partials = Arrays.copyOf(partials, 2 * size);
        }
        System.arraycopy(starts, index, starts, index + 1, size - index);
        System.arraycopy(ends, index, ends, index + 1, size - index);
        System.arraycopy(partials, index, partials, index + 1, size - index);
        starts[index] = start;
        ends[index] = end;
        partials[index] = partial;
        size++;
    }

    private void removeRange(int from, int to) {
        System.arraycopy(starts, to, starts, from, size - to);
        System.arraycopy(ends, to, ends, from, size - to);
        System.arraycopy(partials, to, partials, from, size - to);
        int newSize = size - (to - from);
        Arrays.fill(partials, newSize, size, null);
        size = newSize;
    }

    /** The first index whose value is not less. */
    private int lowerBound(long[] values, long value) {
        if (size == 0 || values[size - 1] < value) {
            return size;
        }
        int low = 0;
        int high = size - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (values[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
