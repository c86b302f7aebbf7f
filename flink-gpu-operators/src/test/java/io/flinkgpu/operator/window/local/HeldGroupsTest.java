package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.groups.GroupSource;
import io.flinkgpu.groups.KeyBytes;
import io.flinkgpu.groups.PartialSource;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.state.Partial;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Groups are what a map of keys and slices has, within any budget.
 *
 * <p>Covers: HeldGroups.
 */
class HeldGroupsTest {

    private static final long SEED = Long.getLong("local.seed", System.nanoTime());

    private static final List<ValueSpec> VALUES =
            List.of(
                    new ValueSpec("n", ColumnType.LONG, List.of(Aggregate.values())),
                    new ValueSpec("d", ColumnType.DOUBLE, List.of(Aggregate.values())));

    private static final WindowShape SHAPE = WindowShape.tumbling(true, 10, 0);

    private final Random random = new Random(SEED);
    private final Map<String, Partial> expected = new HashMap<>();
    private final Map<String, Partial> sent = new HashMap<>();
    private long greatestSent = Long.MIN_VALUE;

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, 4_000, 20_000, 300_000, 64 << 20})
    void randomGroupsAreThoseOfAMap(long maxBytes) {
        KeyBytes key = new KeyBytes();
        PartialSource source = new PartialSource(VALUES.size());
        try (HeldGroups held = new HeldGroups(SHAPE, VALUES, maxBytes, this::send)) {
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 1_000; i++) {
                    String text = "é-" + "x".repeat(random.nextInt(20)) + random.nextInt(300);
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    key.set(bytes, 0, bytes.length);
                    long slice = random.nextInt(4) * 10L;
                    Partial group = new Partial(VALUES);
                    group.add(0, random.nextLong() >> 16 + random.nextInt(48));
                    double value = random.nextGaussian() * Math.pow(2, random.nextInt(60));
                    group.add(1, Double.doubleToLongBits(value));
                    partial(expected, text, slice).merge(group);
                    int before = held.size();
                    boolean isNew =
                            held.merge(keyGroup(text), key, slice, slice + 10, source.open(group));
                    // One that is not may have been sent with all others, and so be new.
                    assertThat(isNew || held.size() == before).as(label(maxBytes)).isTrue();
                }
                long upTo = random.nextInt(45);
                int before = held.size();
                greatestSent = Long.MIN_VALUE;
                held.send(upTo);
                assertThat(greatestSent + 9).as(label(maxBytes)).isLessThanOrEqualTo(upTo);
                assertThat(held.size()).isLessThanOrEqualTo(before);
            }
            held.sendAll();
            assertThat(held.size()).isZero();
        }
        assertThat(sent.keySet()).as(label(maxBytes)).isEqualTo(expected.keySet());
        expected.forEach(
                (group, partial) ->
                        assertThat(sent.get(group).results(VALUES))
                                .as("%s, %s", group, label(maxBytes))
                                .isEqualTo(partial.results(VALUES)));
    }

    private void send(int keyGroup, KeyBytes key, long slice, long end, GroupSource group) {
        assertThat(end).isEqualTo(slice + 10);
        String text = new String(key.copy(), StandardCharsets.UTF_8);
        assertThat(keyGroup).isEqualTo(keyGroup(text));
        PartialSource.add(group, VALUES.size(), partial(sent, text, slice));
        greatestSent = Math.max(greatestSent, slice);
    }

    private static Partial partial(Map<String, Partial> of, String text, long slice) {
        return of.computeIfAbsent(text + "@" + slice, key -> new Partial(VALUES));
    }

    private static int keyGroup(String text) {
        return text.hashCode() & 0xffff;
    }

    private static String label(long maxBytes) {
        return "seed=" + SEED + ", maxBytes=" + maxBytes;
    }
}
