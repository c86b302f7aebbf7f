package io.flinkgpu.operator.window.keyed;

import io.flinkgpu.operator.window.Row;
import io.flinkgpu.state.Partial;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slices against sorted maps, sessions against Flink's merging of windows.
 *
 * <p>Covers: SliceList.
 */
class SliceListTest {

    private static final long SEED = Long.getLong("seed", 20240229L);
    private static final int RUNS = 300;

    @Test
    void slicesAreThoseOfASortedMap() {
        Random random = new Random(SEED);
        for (int run = 0; run < RUNS; run++) {
            SliceList list = new SliceList(false);
            TreeMap<Long, Long> expected = new TreeMap<>();
            for (int i = 0; i < 60; i++) {
                long start = 10L * (random.nextInt(30) - 15);
                add(list, start, start + 10);
                expected.merge(start, 1L, Long::sum);
                if (random.nextInt(20) == 0) {
                    int count = random.nextInt(list.size() + 1);
                    SliceList first = list.removeFirst(count);
                    assertThat(first.size()).isEqualTo(count);
                    for (int j = 0; j < count; j++) {
                        assertThat(first.start(j)).isEqualTo(expected.firstKey());
                        assertThat(rows(first, j)).isEqualTo(expected.pollFirstEntry().getValue());
                    }
                }
            }
            assertThat(list.size()).as("seed=%d run=%d", SEED, run).isEqualTo(expected.size());
            for (int i = 0; i < list.size(); i++) {
                assertThat(list.start(i)).isEqualTo(expected.firstKey());
                assertThat(list.end(i)).isEqualTo(list.start(i) + 10);
                assertThat(rows(list, i)).isEqualTo(expected.pollFirstEntry().getValue());
            }
        }
    }

    @Test
    void sessionsMergeAsFlinksDo() {
        Random random = new Random(SEED);
        for (int run = 0; run < RUNS; run++) {
            SliceList list = new SliceList(true);
            List<TimeWindow> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                long start = random.nextInt(200) - 100;
                long end = start + 1 + random.nextInt(5);
                add(list, start, end);
                all.add(new TimeWindow(start, end));
                List<TimeWindow> sessions = new ArrayList<>(new LinkedHashSet<>(all));
                TimeWindow.mergeWindows(
                        List.copyOf(sessions),
                        (merged, result) -> {
                            sessions.removeAll(merged);
                            sessions.add(result);
                        });
                List<TimeWindow> actual = new ArrayList<>();
                long rows = 0;
                for (int j = 0; j < list.size(); j++) {
                    actual.add(new TimeWindow(list.start(j), list.end(j)));
                    rows += rows(list, j);
                }
                assertThat(actual)
                        .as("seed=%d run=%d", SEED, run)
                        .containsExactlyInAnyOrderElementsOf(sessions);
                assertThat(actual)
                        .isSortedAccordingTo((a, b) -> Long.compare(a.getStart(), b.getStart()));
                assertThat(rows).isEqualTo(all.size());
            }
        }
    }

    private static void add(SliceList list, long start, long end) {
        list.partial(start, end, () -> new Partial(Row.AGGREGATES.specs())).add(0, 1);
    }

    /** The sum, which counts the rows, as each adds 1. */
    private static long rows(SliceList list, int index) {
        return (Long) list.partial(index).results(Row.AGGREGATES.specs())[2];
    }
}
