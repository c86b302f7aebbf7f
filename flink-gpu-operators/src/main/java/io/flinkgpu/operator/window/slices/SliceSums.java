package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupTable;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.window.WindowShape;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Adds up the slices of sliding windows, of which neighbours have most in common: the slices of a block of
 * time are added up once, from the block's start on, and each window takes the sum. A window of {@code n}
 * slices then adds about the square root of {@code 2n} tables twice, and not {@code n}. Sums are no state:
 * one is forgotten when a slice in it changes, and all are when memory is short. Task thread only.
 *
 * @param <S> the key in state
 */
final class SliceSums<S> implements AutoCloseable {

    /** Where slices are in fewer windows, they are added up one by one. */
    private static final long FEW_WINDOWS = 8;

    /** A block of so many slices shows whether keys repeat in them. */
    private static final int SAMPLE = 4;

    private final GroupTables tables;
    private final KeyBytes key = new KeyBytes();
    private final long sliceMillis;

    /** 0 where nothing is kept. */
    private long blockMillis;

    private final Map<Long, Block> blocks = new HashMap<>();

    SliceSums(WindowShape shape, GroupTables tables) {
        this.tables = tables;
        this.sliceMillis = shape.sliceMillis();
        if (shape.windowsOfSlice() >= FEW_WINDOWS) {
            blockMillis = sliceMillis * Math.round(Math.sqrt(2.0 * shape.slicesOfWindow()));
        }
    }

    /** Slices of a block, added up from its start. */
    private static final class Block {

        /** Null if keys do not repeat, so that adding up saves nothing. */
        private GroupTable sum;

        private long upTo;
        private int slices;
        private long groups;

        Block(GroupTable sum, long upTo) {
            this.sum = sum;
            this.upTo = upTo;
        }

        void close() {
            if (sum != null) {
                sum.close();
                sum = null;
            }
        }

        boolean isPoor() {
            return slices >= SAMPLE && 2L * sum.size() > groups;
        }
    }

    /**
     * Adds the groups of a window's spans.
     *
     * @param spans in their order, with all layers in memory; all that are within the window
     */
    void add(List<Span<S>> spans, long windowStart, GroupTable to) {
        if (blockMillis == 0 || spans.stream().anyMatch(span -> !isSlice(span))) {
            addEach(spans, to);
            return;
        }
        for (int from = 0, end; from < spans.size(); from = end) {
            long number = number(spans.get(from).startMillis);
            end = from + 1;
            while (end < spans.size() && number(spans.get(end).startMillis) == number) {
                end++;
            }
            List<Span<S>> ofBlock = spans.subList(from, end);
            if (windowStart > number * blockMillis) {
                addEach(ofBlock, to);
            } else {
                addBlock(number, ofBlock, to);
            }
        }
    }

    private boolean isSlice(Span<S> span) {
        return span.endMillis - span.startMillis == sliceMillis;
    }

    private long number(long startMillis) {
        return Math.floorDiv(startMillis, blockMillis);
    }

    /**
     * @param spans all from the block's start up to the end of the last of them
     */
    private void addBlock(long number, List<Span<S>> spans, GroupTable to) {
        long upTo = spans.get(spans.size() - 1).endMillis;
        Block block =
                blocks.computeIfAbsent(
                        number, n -> new Block(tables.newTable(), number * blockMillis));
        if (block.sum == null || block.upTo > upTo) {
            addEach(spans, to);
            return;
        }
        for (Span<S> span : spans) {
            if (span.startMillis >= block.upTo) {
                add(span, block.sum);
                block.groups += groups(span);
                block.slices++;
            }
        }
        block.upTo = upTo;
        add(block.sum, to);
        if (block.isPoor()) {
            block.close();
        }
    }

    private long groups(Span<S> span) {
        return layers(span).mapToLong(table -> table.size()).sum();
    }

    private void addEach(List<Span<S>> spans, GroupTable to) {
        spans.forEach(span -> add(span, to));
    }

    private void add(Span<S> span, GroupTable to) {
        layers(span).forEach(table -> add(table, to));
    }

    private Stream<GroupTable> layers(Span<S> span) {
        return span.layers.stream().filter(layer -> !layer.isEmpty()).map(Layer::table);
    }

    private void add(GroupTable from, GroupTable to) {
        WindowSums.addTo(to, from.cursor(), key, true);
    }

    /** Called before a span is added to, or when its groups are taken away. */
    void changes(Span<S> span) {
        if (blocks.isEmpty()) {
            return;
        }
        long number = number(span.startMillis);
        Block block = blocks.get(number);
        if (block != null && span.startMillis < block.upTo) {
            block.close();
            blocks.remove(number);
        }
    }

    /** Forgets all sums, and keeps none from now on. */
    void stop() {
        close();
        blockMillis = 0;
    }

    /** Gives all memory back. */
    @Override
    public void close() {
        blocks.values().forEach(Block::close);
        blocks.clear();
    }
}
