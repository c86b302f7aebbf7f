package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.operator.window.LiveHeap;
import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.state.RunId;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Span.
 */
class SpanTest {

    private static final long SEED = Long.getLong("windows.seed", System.nanoTime());

    private final BufferAllocator allocator = new RootAllocator();
    private final GroupTables tables = new GroupTables(allocator, Row.AGGREGATES.specs());
    private final Span<String> span =
            new Span<>(
                    10, 15, List.of(new TimeWindow(10, 20), new TimeWindow(5, 15)), Long.MAX_VALUE);

    @AfterEach
    void close() {
        allocator.close();
    }

    @Test
    void theLastLayerIsAddedToUntilAWindowHasFiredWithIt() {
        assertThat(span.open()).isNull();
        Layer<String> layer = layer(0, Long.MIN_VALUE);
        assertThat(span.open()).isSameAs(layer);
        layer.fired(14);
        assertThat(span.open()).isNull();
        assertThat(span.nextFiring(layer.firedUpTo())).isEqualTo(19);
        layer.fired(9);
        assertThat(layer.firedUpTo()).isEqualTo(14);
    }

    /** Of two subtasks whose clocks had fired up to different times, and which became one. */
    @Test
    void layersWithTheSameIdAreNotAddedTo() {
        layer(0, 14);
        layer(0, Long.MIN_VALUE);
        assertThat(span.open()).isNull();
        assertThat(span.nextLayer()).isEqualTo(1);
    }

    /** Seed 20261288 of WindowDifferentialTest: records 500 ms after the least timestamp had it, too. */
    @Test
    void aWindowThatHasWrappedAroundIsInNoOther() {
        TimeWindow wrapped = new TimeWindow(9223372036854775806L, -9223372036854775784L);
        Span<String> alone =
                new Span<>(
                        wrapped.getStart(),
                        wrapped.getEnd(),
                        List.of(wrapped),
                        wrapped.maxTimestamp());
        assertThat(alone.isWithin(wrapped)).isTrue();
        assertThat(alone.isWithin(new TimeWindow(-9223372036854775290L, -9223372036854775264L)))
                .isFalse();
        assertThat(span.isWithin(new TimeWindow(5, 15))).isTrue();
        assertThat(span.isWithin(new TimeWindow(11, 20))).isFalse();
    }

    @Test
    void itsWindowsEndInTurn() {
        Random random = new Random(SEED);
        List<TimeWindow> windows = new ArrayList<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
            windows.add(new TimeWindow(10 * i, 10 * i + 200));
        }
        Span<String> slice = new Span<>(190, 200, windows, Long.MAX_VALUE);
        for (int i = 0; i < 1_000; i++) {
            long before = random.nextInt(20) == 0 ? Long.MIN_VALUE : 150 + random.nextInt(300);
            long upTo = 150 + random.nextInt(300);
            assertThat(slice.ended(before, upTo))
                    .as("seed=%d, before=%d, upTo=%d", SEED, before, upTo)
                    .containsExactlyElementsOf(
                            windows.stream()
                                    .filter(w -> w.maxTimestamp() > before)
                                    .filter(w -> w.maxTimestamp() <= upTo)
                                    .toList());
            assertThat(slice.nextFiring(upTo))
                    .as("seed=%d, upTo=%d", SEED, upTo)
                    .isEqualTo(
                            windows.stream()
                                    .mapToLong(TimeWindow::maxTimestamp)
                                    .filter(last -> last > upTo)
                                    .min()
                                    .orElse(Long.MAX_VALUE));
        }
        assertThat(slice.firstWindow()).isEqualTo(new TimeWindow(0, 200));
    }

    /** Each of these slices is in 86,400 windows. */
    @Test
    void slicesOfADayThatSlidesByASecondKeepNoWindows() {
        WindowShape shape = WindowShape.sliding(true, 86_400_000, 1_000, 0);
        long before = LiveHeap.bytes();
        try (WindowGroups<String> groups = new WindowGroups<>(shape, 0, tables, null)) {
            for (int i = 0; i < 1_000; i++) {
                Span<String> slice = groups.span(1_000L * i, 1_000L * i + 1_000);
                assertThat(slice.windows()).hasSize(86_400);
            }
            assertThat(LiveHeap.bytes() - before).isLessThan(16 << 20);
            assertThat(groups.spans()).hasSize(1_000);
        }
    }

    @Test
    void aLayersRunsAreFoundByKeyGroup() {
        Layer<String> layer = new Layer<>(0, Long.MIN_VALUE, null);
        for (int sequence = 0; sequence < 3; sequence++) {
            for (int keyGroup = 2; keyGroup >= 0; keyGroup--) {
                layer.add(run(keyGroup, sequence));
            }
        }
        assertThat(layer.isStored()).isTrue();
        assertThat(layer.keyGroups()).containsExactly(0, 1, 2);
        assertThat(layer.runs(1)).containsExactly(run(1, 0), run(1, 1), run(1, 2));
        assertThat(layer.runs(3)).isEmpty();
        assertThat(layer.nextSequence).isEqualTo(3);
        layer.removed();
        assertThat(layer.isStored()).isFalse();
    }

    private static StoredRun<String> run(int keyGroup, int sequence) {
        return new StoredRun<>("carrier", keyGroup, 0, new RunId(10, 15, 0, sequence));
    }

    private Layer<String> layer(int id, long firedUpTo) {
        Layer<String> layer = new Layer<>(id, firedUpTo, tables.newTable());
        span.layers.add(layer);
        return layer;
    }
}
