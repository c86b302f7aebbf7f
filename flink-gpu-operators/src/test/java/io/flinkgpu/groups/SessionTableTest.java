package io.flinkgpu.groups;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.state.Partial;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Sessions in a table against lists of spans on the heap.
 *
 * <p>Covers: SessionTable.
 */
class SessionTableTest {

    private static final long SEED = Long.getLong("groups.seed", System.nanoTime());

    private static final List<ValueSpec> VALUES =
            List.of(new ValueSpec("x", ColumnType.DOUBLE, List.of(Aggregate.values())));

    private final BufferAllocator allocator = new RootAllocator();
    private final SessionTable sessions = new GroupTables(allocator, VALUES).newSessionTable();
    private final KeyBytes key = new KeyBytes();

    @AfterEach
    void givesAllBack() {
        sessions.close();
        allocator.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 300})
    void mergesWhatTouches(int keys) {
        Random random = new Random(SEED + keys);
        Map<String, List<Span>> expected = new HashMap<>();
        for (int step = 0; step < 4000; step++) {
            // Short keys and those that are not in their rows.
            String of =
                    (random.nextInt(2) == 0 ? "k" : "a key of many bytes ") + random.nextInt(keys);
            List<Span> spans = expected.computeIfAbsent(of, k -> new ArrayList<>());
            set(of);
            long start = random.nextInt(4000);
            long end = start + 1 + random.nextInt(step % 5 == 0 ? 400 : 20);
            boolean touches = spans.stream().anyMatch(span -> span.touches(start, end));
            assertThat(sessions.touches(key, start, end)).as("seed %d", SEED).isEqualTo(touches);
            if (random.nextInt(3) == 0 && !spans.isEmpty()) {
                sessions.remove(spans.remove(random.nextInt(spans.size())).number);
            } else {
                join(spans, start, end, random.nextInt(4) > 0, random.nextGaussian() * 1e200);
            }
            if (step % 50 == 0) {
                check(expected);
            }
        }
        check(expected);
    }

    private void join(List<Span> spans, long start, long end, boolean fired, double value) {
        Span joined = new Span(start, end, fired);
        joined.partial.add(0, Double.doubleToRawLongBits(value));
        joined.number = sessions.join(key, key.length(), start, end, fired);
        sessions.groups().add(joined.number, 0, Double.doubleToRawLongBits(value));
        for (Span span : List.copyOf(spans)) {
            if (span.touches(start, end)) {
                spans.remove(span);
                joined.start = Math.min(joined.start, span.start);
                joined.end = Math.max(joined.end, span.end);
                joined.fired &= span.fired;
                joined.partial.merge(span.partial);
            }
        }
        spans.add(joined);
    }

    private void check(Map<String, List<Span>> expected) {
        Map<Integer, String> keyOf = new HashMap<>();
        Map<Integer, Span> byNumber = new HashMap<>();
        expected.forEach(
                (of, spans) ->
                        spans.forEach(
                                span -> {
                                    keyOf.put(span.number, of);
                                    byNumber.put(span.number, span);
                                }));
        assertThat(sessions.size()).as("seed %d", SEED).isEqualTo(byNumber.size());
        Set<Integer> seen = new HashSet<>();
        SessionCursor each = sessions.cursor();
        while (each.next()) {
            Span span = byNumber.get(each.session());
            assertThat(span).as("seed %d", SEED).isNotNull();
            seen.add(each.session());
            assertThat(sessions.start(each.session())).isEqualTo(span.start);
            assertThat(sessions.end(each.session())).isEqualTo(span.end);
            assertThat(sessions.isFired(each.session())).isEqualTo(span.fired);
            each.group().key(key);
            assertThat(new String(key.copy(), US_ASCII)).isEqualTo(keyOf.get(each.session()));
            assertThat(each.group().keyGroup()).isEqualTo(key.length());
            Partial partial = new Partial(VALUES);
            PartialSource.add(each.group(), VALUES.size(), partial);
            assertThat(Arrays.toString(partial.results(VALUES)))
                    .as("seed %d", SEED)
                    .isEqualTo(Arrays.toString(span.partial.results(VALUES)));
        }
        assertThat(seen).as("seed %d", SEED).hasSize(byNumber.size());
    }

    @Test
    void theRowOfAKeysOnlySessionIsUsedAgain() {
        set("key");
        for (int i = 0; i < 1000; i++) {
            int session = sessions.join(key, 0, 100L * i, 100L * i + 10, false);
            sessions.groups().add(session, 0, 0);
            sessions.groups().cursor().move(session);
            assertThat(sessions.groups().cursor().move(session).count(0)).isEqualTo(1);
            assertThat(sessions.due(session)).isEqualTo(Long.MAX_VALUE);
            sessions.setDue(session, 7);
            sessions.remove(session);
        }
        assertThat(sessions.freeRows()).isEqualTo(1);
        assertThat(sessions.touches(key, 0, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void aRowThereIsNoMemoryForIsNotCounted() {
        allocator.setLimit(1 << 16);
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 100_000; i++) {
                                set("key " + i);
                                sessions.join(key, 0, 0, 10, false);
                            }
                        })
                .isInstanceOf(OutOfMemoryException.class);
        assertThat(sessions.size()).isPositive();
        assertThat(sessions.freeRows()).isZero();
    }

    /** Of three sessions that become one the last is of another page, and needs a wider row. */
    @Test
    void whatWasMergedBeforeMemoryEndedIsWholeAndTheRestIsMergedAgain() {
        set("key");
        add(sessions.join(key, 0, 100, 110, true), 1);
        add(sessions.join(key, 0, 50, 60, false), 2);
        for (int i = 0; i < 10_000; i++) {
            set("other " + i);
            add(sessions.join(key, 0, 0, 10, false), 3);
        }
        set("key");
        add(sessions.join(key, 0, 0, 10, true), 1e300);
        long limit = allocator.getLimit();
        allocator.setLimit(allocator.getAllocatedMemory());
        assertThatThrownBy(() -> sessions.join(key, 0, 5, 105, true))
                .isInstanceOf(OutOfMemoryException.class);
        allocator.setLimit(limit);
        int latest = sessions.groups().find(key.array(), 0, key.length());
        assertThat(sessions.start(latest)).isEqualTo(50);
        assertThat(sessions.end(latest)).isEqualTo(110);
        assertThat(sessions.isFired(latest)).isFalse();
        assertThat(sessions.groups().count(latest, 0)).isEqualTo(2);
        assertThat(sessions.join(key, 0, 5, 105, true)).isEqualTo(latest);
        assertThat(sessions.start(latest)).isZero();
        assertThat(sessions.isFired(latest)).isFalse();
        assertThat(sessions.groups().count(latest, 0)).isEqualTo(3);
        assertThat(sessions.size()).isEqualTo(10_001);
    }

    private void add(int session, double value) {
        sessions.groups().add(session, 0, Double.doubleToRawLongBits(value));
    }

    private void set(String of) {
        byte[] bytes = of.getBytes(US_ASCII);
        key.set(bytes, 0, bytes.length);
    }

    private static final class Span {

        long start;
        long end;
        boolean fired;
        int number;
        final Partial partial = new Partial(VALUES);

        Span(long start, long end, boolean fired) {
            this.start = start;
            this.end = end;
            this.fired = fired;
        }

        boolean touches(long otherStart, long otherEnd) {
            return start <= otherEnd && otherStart <= end;
        }
    }
}
