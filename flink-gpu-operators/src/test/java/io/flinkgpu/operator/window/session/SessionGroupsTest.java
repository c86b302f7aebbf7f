package io.flinkgpu.operator.window.session;

import io.flinkgpu.groups.GroupCursor;
import io.flinkgpu.groups.GroupTables;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.operator.window.Row;

import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sessions without state, of keys that are numbers.
 *
 * <p>Covers: SessionGroups, SessionStore.
 */
class SessionGroupsTest {

    private static final long GAP = 10;

    private final BufferAllocator allocator = new RootAllocator();
    private final KeyBytes key = new KeyBytes();
    private final List<String> fired = new ArrayList<>();

    private SessionGroups<Long> groups;

    @AfterEach
    void givesAllBack() {
        groups.close();
        allocator.close();
    }

    @Test
    void firesInTheOrderOfEnds() throws Exception {
        open(0);
        add(1, 100);
        add(2, 90);
        add(3, 95);
        // Its entry is the first, its end the last.
        add(2, 99);
        add(2, 105);
        groups.advance(200, this::fire);
        assertThat(fired).containsExactly("3: 95-105", "1: 100-110", "2: 90-115");
        assertThat(groups.sessions().size()).isZero();
        assertThat(groups.deadlines()).isZero();
    }

    @Test
    void sessionsOfAKeyAreSeveral() throws Exception {
        open(0);
        add(1, 100);
        add(1, 140);
        add(1, 120);
        add(1, 60);
        groups.advance(75, this::fire);
        add(1, 130);
        groups.advance(200, this::fire);
        assertThat(fired).containsExactly("1: 60-70", "1: 100-110", "1: 120-150");
    }

    @Test
    void aLateRecordFiresWhatItJoins() throws Exception {
        open(50);
        add(1, 100);
        groups.advance(120, this::fire);
        add(1, 105);
        // Late for all.
        add(1, 40);
        groups.advance(163, this::fire);
        add(1, 95);
        assertThat(fired).containsExactly("1: 100-110", "1: 100-115", "1: 95-115");
        groups.advance(164, this::fire);
        assertThat(groups.sessions().size()).isZero();
    }

    /** Each record makes the session due before the end of its lateness, for which it has an entry. */
    @Test
    void aSessionThatFiresOftenKeepsFewDeadlines() throws Exception {
        open(1 << 30);
        for (int i = 0; i < 10_000; i++) {
            add(1, i);
            groups.advance(i + GAP, this::fire);
            assertThat(groups.deadlines()).isLessThan(3_000);
        }
        assertThat(groups.sessions().size()).isEqualTo(1);
        assertThat(fired).hasSize(10_000).last().isEqualTo("1: 0-10009");
    }

    private void open(long latenessMillis) {
        groups =
                new SessionGroups<>(
                        GAP,
                        latenessMillis,
                        new GroupTables(allocator, Row.AGGREGATES.specs()),
                        null,
                        () -> false);
    }

    private void add(long of, long timestamp) throws Exception {
        key.setLong(of);
        int session = groups.find(key, 0, timestamp);
        if (session >= 0) {
            groups.added(session, this::fire);
        }
    }

    private void fire(TimeWindow window, GroupCursor group) {
        group.key(key);
        fired.add(key.array()[0] + ": " + window.getStart() + "-" + window.getEnd());
    }
}
