package io.flinkgpu.sql.aggregate;

import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.MemoryReservationException;

import org.junit.jupiter.api.Test;

import java.time.ZoneOffset;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is given back when something fails; that answers are Flink's is tested beside the planner.
 *
 * <p>Covers: TableWindowBuffer.
 */
class TableWindowBufferTest {

    private static final LocalAggregation AGGREGATION =
            new LocalAggregation(1, 1, List.of(), List.of());
    private static final long BYTES = 1 << 20;

    private final MemoryManager memory = MemoryManager.create(BYTES, 4 << 10);

    private TableWindowBuffer open(LocalAggregation aggregation, GroupOutput output, long bytes)
            throws Exception {
        return TableWindowBuffer.of(aggregation, output, memory, this, bytes, ZoneOffset.UTC);
    }

    @Test
    void anOutputThatCannotBeClosedKeepsNoMemory() throws Exception {
        ClosedOutput output = new ClosedOutput("output");
        TableWindowBuffer buffer = open(AGGREGATION, output, BYTES);
        assertThat(memory.availableMemory()).isZero();
        assertThatThrownBy(buffer::close).hasMessage("output");
        assertThat(output.times()).isEqualTo(1);
        assertThat(memory.availableMemory()).isEqualTo(BYTES);
    }

    @Test
    void withoutMemoryTheOutputIsClosed() {
        ClosedOutput output = new ClosedOutput(null);
        assertThatThrownBy(() -> open(AGGREGATION, output, BYTES + 1))
                .isInstanceOf(MemoryReservationException.class);
        assertThat(output.times()).isEqualTo(1);
        assertThat(memory.availableMemory()).isEqualTo(BYTES);
    }

    @Test
    void withoutGroupsTheOutputIsClosedAndNoMemoryIsKept() {
        ClosedOutput output = new ClosedOutput("output");
        assertThatThrownBy(() -> open(null, output, BYTES))
                .isInstanceOf(NullPointerException.class);
        assertThat(output.times()).isEqualTo(1);
        assertThat(memory.availableMemory()).isEqualTo(BYTES);
    }
}
