package io.flinkgpu.groups;

import io.flinkgpu.exact.SquareGrid;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

import java.util.Arrays;

/**
 * The rows of a table, in pages off the heap. A row has a number for life: its page and its place in
 * the page. Pages differ in how many bins their sums have, so that a value far from all others makes
 * the rows of one page longer, not those of all.
 */
final class RowPages implements AutoCloseable {

    private static final int PLACE_BITS = 12;
    private static final int MAX_ROWS = 1 << PLACE_BITS;
    private static final int PLACE = MAX_ROWS - 1;
    private static final int MAX_PAGES = 1 << Integer.SIZE - 2 - PLACE_BITS;
    private static final int FIRST_PAGE_BYTES = 1 << 10;
    private static final int PAGE_BYTES = 1 << 16;
    private static final long LINE_BYTES = 64;

    /** A page with more bins of a value does not lend its width to the next one. */
    private static final int MAX_LENT_BINS = 8;

    private final BufferAllocator allocator;
    private final RowLayout narrowest;

    /** A place in the next line of the cache, if rows are longer than one. */
    private final int touched;

    private ArrowBuf[] buffers = new ArrowBuf[4];
    private long[] addresses = new long[4];
    private RowLayout[] layouts = new RowLayout[4];
    private int[] sizes = new int[4];
    private int pages;
    private long bytes;

    RowPages(BufferAllocator allocator, RowLayout narrowest) {
        this.allocator = allocator;
        this.narrowest = narrowest;
        this.touched = (int) Math.min(LINE_BYTES, narrowest.strideBytes - Long.BYTES);
    }

    static int page(int row) {
        return row >>> PLACE_BITS;
    }

    int pages() {
        return pages;
    }

    /** How many rows a page has. */
    int size(int page) {
        return sizes[page];
    }

    /** The number of a row by its place in a page. */
    static int row(int page, int place) {
        return page << PLACE_BITS | place;
    }

    /** Whether there is a row of this number; numbers of rows that follow one another are not all taken. */
    boolean has(int row) {
        return row >= 0 && page(row) < pages && (row & PLACE) < sizes[page(row)];
    }

    /** Where a row is, until a row is added or its page widened. */
    long address(int row) {
        int page = row >>> PLACE_BITS;
        return addresses[page] + (long) (row & PLACE) * layouts[page].strideBytes;
    }

    /** Reads the first and one more word of the first keys' candidates, many at once; of none those of the first row. */
    long touch(KeyWords keys, int count) {
        for (int i = 0; i < count; i++) {
            keys.rows[i] = address(Math.max(0, keys.candidates[i]));
        }
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += MemoryUtil.getLong(keys.rows[i]) + MemoryUtil.getLong(keys.rows[i] + touched);
        }
        return sum;
    }

    RowLayout layout(int row) {
        return layouts[row >>> PLACE_BITS];
    }

    /**
     * Adds a row of no values.
     *
     * @return its number
     * @throws org.apache.arrow.memory.OutOfMemoryException if there is no memory; nothing has changed
     */
    int add() {
        if (pages == 0) {
            addPage(narrowest, FIRST_PAGE_BYTES);
        }
        int page = pages - 1;
        if (sizes[page] == capacity(page)) {
            long bytes = buffers[page].capacity();
            if (bytes < PAGE_BYTES) {
                move(page, layouts[page], 2 * bytes);
            } else {
                boolean lends =
                        Arrays.stream(layouts[page].bins).allMatch(bins -> bins <= MAX_LENT_BINS);
                addPage(lends ? layouts[page] : narrowest, PAGE_BYTES);
                page++;
            }
        }
        int row = row(page, sizes[page]++);
        long address = address(row);
        long[] initial = layouts[page].initial;
        for (int i = 0; i < initial.length; i++) {
            MemoryUtil.putLong(address + (long) Long.BYTES * i, initial[i]);
        }
        return row;
    }

    /**
     * Gives the rows of a row's page at least these bins.
     *
     * @throws org.apache.arrow.memory.OutOfMemoryException if there is no memory; nothing has changed
     */
    void widen(int row, int value, int firstBin, int endBin) {
        int page = page(row);
        RowLayout wider = layouts[page].withBins(value, firstBin, endBin);
        move(
                page,
                wider,
                Math.max(
                        buffers[page].capacity(),
                        (long) wider.strideBytes * sizes[page] + LINE_BYTES));
    }

    private int capacity(int page) {
        long bytes = buffers[page].capacity() - (addresses[page] - buffers[page].memoryAddress());
        return (int) Math.min(MAX_ROWS, bytes / layouts[page].strideBytes);
    }

    /** Where the first row is: at a line of the cache, so that a row is in as few of them as can be. */
    private static long firstRow(ArrowBuf buffer) {
        return buffer.memoryAddress() + LINE_BYTES - 1 & -LINE_BYTES;
    }

    private void addPage(RowLayout layout, long bytes) {
        if (pages == MAX_PAGES) {
            throw new IllegalStateException(
                    "a table of groups has room for 2^30 rows: pages=" + pages);
        }
        ArrowBuf buffer = allocator.buffer(Math.max(bytes, layout.strideBytes + LINE_BYTES));
        if (pages == buffers.length) {
            buffers = Arrays.copyOf(buffers, 2 * pages);
            addresses = Arrays.copyOf(addresses, 2 * pages);
            layouts = Arrays.copyOf(layouts, 2 * pages);
            sizes = Arrays.copyOf(sizes, 2 * pages);
        }
        buffers[pages] = buffer;
        addresses[pages] = firstRow(buffer);
        layouts[pages] = layout;
        sizes[pages] = 0;
        pages++;
        this.bytes += buffer.capacity();
    }

    private void move(int page, RowLayout to, long bytes) {
        ArrowBuf buffer = allocator.buffer(bytes);
        RowLayout from = layouts[page];
        long source = addresses[page];
        long target = firstRow(buffer);
        if (from == to) {
            MemoryUtil.copyMemory(source, target, (long) from.strideBytes * sizes[page]);
        } else {
            for (int i = 0; i < sizes[page]; i++) {
                widenRow(source, from, target, to);
                source += from.strideBytes;
                target += to.strideBytes;
            }
        }
        this.bytes += buffer.capacity() - buffers[page].capacity();
        buffers[page].close();
        buffers[page] = buffer;
        addresses[page] = firstRow(buffer);
        layouts[page] = to;
    }

    private static void widenRow(long source, RowLayout from, long target, RowLayout to) {
        for (int i = 0; i < to.initial.length; i++) {
            MemoryUtil.putLong(target + (long) Long.BYTES * i, to.initial[i]);
        }
        MemoryUtil.copyMemory(source, target, from.counts[0]);
        for (int value = 0; value < from.values(); value++) {
            int words = value + 1 < from.values() ? from.counts[value + 1] : from.cells;
            int head = words;
            if (from.hasSumBins(value)) {
                head = from.sums[value];
            } else if (from.squares[value] != RowLayout.NONE) {
                head = from.squares[value];
            }
            copy(source, from.counts[value], target, to.counts[value], head - from.counts[value]);
            int shift = from.bins[value] == 0 ? 0 : from.firstBins[value] - to.firstBins[value];
            if (from.hasSumBins(value)) {
                int ahead = Long.BYTES * shift;
                int bytes = Long.BYTES * from.bins[value];
                copy(source, from.sums[value], target, to.sums[value] + ahead, bytes);
            }
            if (from.squares[value] != RowLayout.NONE) {
                int ahead = Long.BYTES * SquareGrid.BINS_PER_BIN * shift;
                int bytes = Long.BYTES * SquareGrid.BINS_PER_BIN * from.bins[value];
                copy(source, from.squares[value], target, to.squares[value] + ahead, bytes);
            }
        }
        copy(source, from.cells, target, to.cells, from.strideBytes - from.cells);
    }

    private static void copy(long source, int from, long target, int to, int bytes) {
        MemoryUtil.copyMemory(source + from, target + to, bytes);
    }

    /** What they take of the allocator. */
    long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        for (int page = 0; page < pages; page++) {
            buffers[page].close();
            buffers[page] = null;
        }
        pages = 0;
        bytes = 0;
    }
}
