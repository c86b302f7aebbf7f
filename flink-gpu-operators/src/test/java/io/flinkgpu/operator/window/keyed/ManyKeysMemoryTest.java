package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.LiveHeap;
import io.flinkgpu.operator.window.Row;
import io.flinkgpu.operator.window.WindowInput;

import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What windows of many keys need: bytes off the heap, none on it.
 *
 * <p>Covers: WindowSums.
 */
class ManyKeysMemoryTest {

    private static final int KEY_BYTES = 10;

    /** Count, minimum, maximum and two of a sum; count, minimum, maximum and specials. */
    private static final int WORDS = 9;

    private static final int BEYOND = 64;
    private static final long LITTLE = 3 << 20;

    /** At half of the table's slots, and with one group more, which doubles them. */
    @ParameterizedTest
    @ValueSource(ints = {1 << 17, (1 << 17) + 1})
    void aGroupNeedsFewBytesBeyondItsKeyAndWords(int keys) throws Exception {
        try (WindowHarness<WindowInput<String, Row>> harness = open(false)) {
            add(harness, 0, keys);
            harness.processWatermark(0);
            long held = (long) harness.gauge("heldBytes");
            assertThat(held / keys - KEY_BYTES - Long.BYTES * WORDS).isLessThanOrEqualTo(BEYOND);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theHeapDoesNotGrowWithKeys(boolean rocksDb) throws Exception {
        try (WindowHarness<WindowInput<String, Row>> harness = open(rocksDb)) {
            add(harness, 0, 1_000);
            if (rocksDb) {
                harness.checkpoint(1);
            }
            long before = LiveHeap.bytes();
            add(harness, 1_000, 200_000);
            if (rocksDb) {
                harness.checkpoint(2);
            }
            assertThat(LiveHeap.bytes() - before).isLessThan(LITTLE);
        }
    }

    private static WindowHarness<WindowInput<String, Row>> open(boolean rocksDb) throws Exception {
        WindowHarness<WindowInput<String, Row>> harness =
                WindowHarness.ours(GlobalWindows.createWithEndOfStreamTrigger(), 0, false, 1 << 16);
        if (rocksDb) {
            harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        }
        return harness.start(null);
    }

    private static void add(WindowHarness<WindowInput<String, Row>> harness, int from, int to)
            throws Exception {
        for (int i = from; i < to; i++) {
            Row row = new Row("key%06d".formatted(i), i, null);
            harness.processElement(WindowInput.raw(row), 0);
        }
    }
}
