package io.flinkgpu.backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: SpareMemory.
 */
@Timeout(60)
class SpareMemoryTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final SpareMemory spare = new SpareMemory(100, LONG);

    @Test
    void theLastOfAKindIsTaken() {
        FakePiece first = kept("a", 10);
        FakePiece second = kept("a", 20);
        FakePiece other = kept("b", 30);
        assertThat(spare.bytes()).isEqualTo(60);
        assertThat(spare.take("a")).isSameAs(second);
        assertThat(spare.take("a")).isSameAs(first);
        assertThat(spare.take("a")).isNull();
        assertThat(spare.bytes()).isEqualTo(30);
        assertThat(first.releases.get() + second.releases.get() + other.releases.get()).isZero();
        spare.releaseAll();
        assertThat(other.releases).hasValue(1);
        assertThat(spare.bytes()).isZero();
    }

    @Test
    void theOldestMakesRoomForTheNext() {
        FakePiece first = kept("a", 50);
        FakePiece second = kept("b", 50);
        FakePiece third = kept("c", 60);
        assertThat(first.releases).hasValue(1);
        assertThat(second.releases).hasValue(1);
        assertThat(third.releases).hasValue(0);
        assertThat(spare.bytes()).isEqualTo(60);
        FakePiece tooLarge = new FakePiece("d", 101);
        assertThat(spare.keep(tooLarge)).isFalse();
        assertThat(tooLarge.releases).as("still the caller's").hasValue(0);
        assertThat(spare.bytes()).isEqualTo(60);
        spare.releaseAll();
    }

    @Test
    void theLimitFallsAndNeverRises() {
        FakePiece first = kept("a", 40);
        FakePiece second = kept("b", 40);
        spare.limit(50);
        assertThat(first.releases).hasValue(1);
        assertThat(second.releases).hasValue(0);
        spare.limit(1000);
        FakePiece third = new FakePiece("c", 51);
        assertThat(spare.keep(third)).isFalse();
        spare.limit(-1);
        assertThat(second.releases).hasValue(1);
        assertThat(spare.keep(new FakePiece("d", 1))).isFalse();
    }

    @Test
    void whatIsOfNoUseAnyMoreIsGivenBackAlone() {
        FakePiece lost = kept("lost", 10);
        FakePiece other = kept("other", 10);
        spare.releaseIf(piece -> piece.kind().equals("lost"));
        assertThat(lost.releases).hasValue(1);
        assertThat(other.releases).hasValue(0);
        assertThat(spare.bytes()).isEqualTo(10);
        spare.releaseAll();
    }

    @Test
    void aPieceThatFailsKeepsNoOther() {
        FakePiece first = kept("a", 10);
        FakePiece second = kept("b", 10);
        first.fails = true;
        spare.releaseAll();
        assertThat(second.releases).hasValue(1);
        assertThat(spare.bytes()).isZero();
    }

    @Test
    void afterItsTimeThereIsNone() throws Exception {
        SpareMemory brief = new SpareMemory(100, Duration.ofMillis(20));
        for (int round = 0; round < 2; round++) {
            FakePiece fails = new FakePiece("a", 10);
            fails.fails = true;
            FakePiece piece = new FakePiece("b", 10);
            assertThat(brief.keep(fails)).isTrue();
            assertThat(brief.keep(piece)).isTrue();
            while (piece.releases.get() == 0) {
                Thread.sleep(1);
            }
            assertThat(fails.releases).hasValue(1);
            assertThat(brief.bytes()).isZero();
        }
    }

    /** Else the thread would keep the class loader of a job's classes for ever. */
    @Test
    void theThreadEndsWithTheLastPiece() throws Exception {
        SpareMemory brief = new SpareMemory(100, Duration.ofMillis(200));
        List<Thread> before = watchers();
        assertThat(brief.keep(new FakePiece("a", 10))).isTrue();
        List<Thread> added = watchers();
        added.removeAll(before);
        assertThat(added).hasSize(1);
        Thread watcher = added.get(0);
        assertThat(watcher.isDaemon()).isTrue();
        assertThat(watcher.getContextClassLoader()).isNull();
        assertThat(brief.take("a")).isNotNull();
        watcher.join(30_000);
        assertThat(watcher.isAlive()).isFalse();
    }

    /** Each piece has one owner at a time, and there is never more than the limit. */
    @Test
    void manyThreadsKeepAndTake() throws Exception {
        long seed = System.nanoTime();
        SpareMemory shared = new SpareMemory(500, Duration.ofMillis(1));
        AtomicInteger made = new AtomicInteger();
        AtomicInteger released = new AtomicInteger();
        AtomicLong worst = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            Random random = new Random(seed + t);
            all.add(
                    threads.submit(
                            () -> {
                                for (int i = 0; i < 5000; i++) {
                                    String kind = "kind" + random.nextInt(3);
                                    FakePiece piece = (FakePiece) shared.take(kind);
                                    if (piece == null) {
                                        made.incrementAndGet();
                                        piece = new FakePiece(kind, 1 + random.nextInt(100));
                                        piece.onRelease = released::incrementAndGet;
                                    }
                                    piece.use();
                                    if (!shared.keep(piece)) {
                                        piece.release();
                                    }
                                    worst.accumulateAndGet(shared.bytes(), Math::max);
                                    if (random.nextInt(100) == 0) {
                                        shared.releaseAll();
                                    }
                                }
                                return null;
                            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();
        shared.releaseAll();
        while (released.get() < made.get()) {
            Thread.sleep(1);
        }
        assertThat(released.get()).as("seed %s", seed).isEqualTo(made.get());
        assertThat(worst.get()).as("seed %s", seed).isBetween(1L, 500L);
        assertThat(shared.bytes()).isZero();
    }

    private FakePiece kept(String kind, long bytes) {
        FakePiece piece = new FakePiece(kind, bytes);
        assertThat(spare.keep(piece)).isTrue();
        return piece;
    }

    private static List<Thread> watchers() {
        return new ArrayList<>(
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("gpu-spare-memory"))
                        .toList());
    }

    private static final class FakePiece implements SpareMemory.Piece {

        private final String kind;
        private final long bytes;
        final AtomicInteger releases = new AtomicInteger();
        private final AtomicInteger users = new AtomicInteger();
        Runnable onRelease = () -> {};
        volatile boolean fails;

        FakePiece(String kind, long bytes) {
            this.kind = kind;
            this.bytes = bytes;
        }

        void use() {
            if (releases.get() > 0 || users.incrementAndGet() > 1) {
                throw new IllegalStateException("it has another owner, or none");
            }
            users.decrementAndGet();
        }

        @Override
        public Object kind() {
            return kind;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void release() {
            if (releases.incrementAndGet() > 1) {
                throw new IllegalStateException("released twice");
            }
            onRelease.run();
            if (fails) {
                throw new IllegalStateException("not released");
            }
        }
    }
}
