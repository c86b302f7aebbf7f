package io.flinkgpu.windows;

import io.flinkgpu.api.BatchPolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A job and what happens to it, all made of one seed.
 *
 * @param rocksDb whether state is in RocksDB, at least until a restart from a canonical savepoint
 * @param first who begins
 */
record Scenario(
        long seed,
        Plan<?> plan,
        int channels,
        int parallelism,
        boolean objectReuse,
        boolean rocksDb,
        Plan.Engine first,
        List<Event> events) {

    /** For machines without RocksDB's native library. */
    private static final boolean HEAP_ONLY = Boolean.getBoolean("windows.heapOnly");

    static Scenario random(Shape.Kind kind, long seed) {
        Random random = new Random(seed);
        KeyKind<?> key =
                random.nextInt(3) > 0
                        ? KeyKind.STRING
                        : KeyKind.ALL.get(random.nextInt(KeyKind.ALL.size()));
        Plan<?> plan = plan(key, Shape.random(kind, random), random);
        boolean exactFirst = plan.swappable() && random.nextInt(6) == 0;
        int channels = 1 + random.nextInt(3);
        return new Scenario(
                seed,
                plan,
                channels,
                random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(4),
                random.nextBoolean(),
                random.nextInt(20) == 0 && !HEAP_ONLY,
                exactFirst ? Plan.Engine.FLINK_EXACT : Plan.Engine.OURS,
                new Happenings(plan, channels, random).events());
    }

    private static <K> Plan<K> plan(KeyKind<K> key, Shape shape, Random random) {
        long latenessMillis =
                switch (random.nextInt(6)) {
                    case 0 -> -1;
                    case 1, 2 -> 0;
                    case 3, 4 -> 1 + random.nextInt(3 * (int) shape.sizeMillis());
                    // Flink's own merging of sessions overflows with more.
                    default ->
                            random.nextBoolean() || shape.kind() == Shape.Kind.SESSION
                                    ? Long.MAX_VALUE / 2
                                    : Long.MAX_VALUE;
                };
        int maxRows =
                switch (random.nextInt(4)) {
                    case 0 -> 1 + random.nextInt(3);
                    case 1, 2 -> 1 + random.nextInt(40);
                    default -> 1 << 16;
                };
        return new Plan<>(
                key,
                shape,
                Query.random(random, shape.assigner().isEventTime()),
                latenessMillis,
                random.nextBoolean(),
                random.nextInt(4) > 0,
                new BatchPolicy(
                        maxRows,
                        random.nextInt(4) == 0 ? 1 + random.nextInt(400) : 1 << 16,
                        Duration.ofMillis(1 + random.nextInt(20))),
                random.nextInt(4) == 0,
                random.nextInt(4) == 0);
    }

    Scenario with(List<Event> others) {
        return new Scenario(seed, plan, channels, parallelism, objectReuse, rocksDb, first, others);
    }

    @Override
    public String toString() {
        return "kind=%s seed=%d%n  assigner=%s size=%d slide or gap=%d offset=%d%n  key=%s lateness=%d sideOutput=%s localAggregation=%s %s mapper=%s deadLetters=%s%n  query=%s%n  channels=%d parallelism=%d objectReuse=%s rocksDb=%s first=%s%n  %s"
                .formatted(
                        plan.shape().kind(),
                        seed,
                        plan.shape().assigner(),
                        plan.shape().sizeMillis(),
                        plan.shape().edgesMillis(),
                        plan.shape().offsetMillis(),
                        plan.key(),
                        plan.latenessMillis(),
                        plan.lateToSideOutput(),
                        plan.localAggregation(),
                        plan.batchPolicy(),
                        plan.mapper(),
                        plan.deadLetters(),
                        plan.query(),
                        channels,
                        parallelism,
                        objectReuse,
                        rocksDb,
                        first,
                        events.stream().map(Event::toString).collect(Collectors.joining("\n  ")));
    }

    /** Fewer events that still make it fail, the last of them kept; at most some hundred tries. */
    Scenario shrunk(java.util.function.Predicate<Scenario> fails) {
        Scenario smallest = this;
        int tries = 400;
        for (int length = events.size() / 2; length > 0 && tries > 0; ) {
            boolean shrank = false;
            for (int from = 0; from < smallest.events.size() - 1 && tries > 0; ) {
                List<Event> fewer = new ArrayList<>(smallest.events);
                fewer.subList(from, Math.min(from + length, fewer.size() - 1)).clear();
                tries--;
                if (fails.test(smallest.with(fewer))) {
                    smallest = smallest.with(fewer);
                    shrank = true;
                } else {
                    from += length;
                }
            }
            if (!shrank || length > 1) {
                length /= 2;
            }
        }
        return smallest;
    }
}
