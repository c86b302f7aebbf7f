package io.flinkgpu.operator.window.local;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sessions of a batch against all sessions of a key merged at once.
 *
 * <p>Covers: LocalSessions.
 */
class LocalSessionsTest {

    private static final long GAP = 10;

    @Test
    void mergeToThoseOfTheRecordsWhateverTheOrder() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            LocalSessions sessions = new LocalSessions();
            for (int batch = 0; batch < 4; batch++) {
                check(sessions, random, "seed=" + seed + ", batch=" + batch);
            }
        }
    }

    private static void check(LocalSessions sessions, Random random, String run) {
        int keys = 1 + random.nextInt(4);
        int rows = random.nextInt(200);
        int[] keyOf = new int[rows];
        long[] timestamps = new long[rows];
        int[] sessionOf = new int[rows];
        for (int i = 0; i < rows; i++) {
            keyOf[i] = random.nextInt(keys) * 100;
            timestamps[i] = random.nextInt(1 + 10 * rows);
            sessionOf[i] = sessions.add(keyOf[i], timestamps[i], timestamps[i] + GAP);
        }
        long[] spans = sessions.take();
        Map<Integer, List<long[]>> expected = new TreeMap<>();
        Map<Integer, List<long[]>> actual = new TreeMap<>();
        for (int i = 0; i < rows; i++) {
            long start = spans[2 * sessionOf[i]];
            long end = spans[2 * sessionOf[i] + 1];
            assertThat(timestamps[i]).as(run).isBetween(start, end - GAP);
            add(expected, keyOf[i], timestamps[i], timestamps[i] + GAP);
            add(actual, keyOf[i], start, end);
        }
        assertThat(describe(actual)).as(run).isEqualTo(describe(expected));
    }

    @Test
    void recordsInOrderMakeEachSessionOnce() {
        LocalSessions sessions = new LocalSessions();
        for (long timestamp : new long[] {0, 5, 15, 26, 30, 50}) {
            sessions.add(7, timestamp, timestamp + GAP);
        }
        assertThat(sessions.take()).containsExactly(0, 25, 26, 40, 50, 60);
        assertThat(sessions.take()).isEmpty();
    }

    @Test
    void aNewBatchBeginsNewSessions() {
        LocalSessions sessions = new LocalSessions();
        sessions.add(0, 0, GAP);
        sessions.add(1, 100, 100 + GAP);
        sessions.take();
        assertThat(sessions.add(1, 105, 105 + GAP)).isZero();
        assertThat(sessions.add(0, 5, 5 + GAP)).isEqualTo(1);
        assertThat(sessions.take()).containsExactly(105, 115, 5, 15);
    }

    /** Adds a span and merges it with all that it touches. */
    private static void add(Map<Integer, List<long[]>> all, int key, long start, long end) {
        List<long[]> spans = all.computeIfAbsent(key, k -> new ArrayList<>());
        long[] merged = {start, end};
        for (boolean again = true; again; ) {
            again =
                    spans.removeIf(
                            span -> {
                                boolean touches = span[0] <= merged[1] && merged[0] <= span[1];
                                if (touches) {
                                    merged[0] = Math.min(merged[0], span[0]);
                                    merged[1] = Math.max(merged[1], span[1]);
                                }
                                return touches;
                            });
        }
        spans.add(merged);
        spans.sort((a, b) -> Long.compare(a[0], b[0]));
    }

    private static String describe(Map<Integer, List<long[]>> all) {
        StringBuilder text = new StringBuilder();
        all.forEach(
                (key, spans) ->
                        spans.forEach(
                                span ->
                                        text.append(key)
                                                .append(':')
                                                .append(span[0])
                                                .append('-')
                                                .append(span[1])
                                                .append(' ')));
        return text.toString();
    }
}
