package io.flinkgpu.operator.window.slices;

import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.operator.window.Row;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SpanTest {

    private final BufferAllocator allocator = new RootAllocator();
    private final GroupTables tables = new GroupTables(allocator, Row.AGGREGATES.specs());
    private final Span<String> span =
            new Span<>(
                    10, 15, List.of(new TimeWindow(5, 15), new TimeWindow(10, 20)), Long.MAX_VALUE);

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

    private Layer<String> layer(int id, long firedUpTo) {
        Layer<String> layer = new Layer<>(id, firedUpTo, tables.newTable());
        span.layers.add(layer);
        return layer;
    }
}
