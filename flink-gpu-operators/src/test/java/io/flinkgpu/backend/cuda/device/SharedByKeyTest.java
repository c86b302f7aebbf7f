package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Made once, closed once, and never used when closed.
 *
 * <p>Covers: SharedByKey.
 */
@Timeout(60)
class SharedByKeyTest {

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    private record Key(int number) implements SharedByKey.Key<Thing> {}

    private final class Thing implements AutoCloseable {

        private volatile boolean isClosed;

        Thing() {
            opened.incrementAndGet();
        }

        @Override
        public void close() {
            isClosed = true;
            closed.incrementAndGet();
        }
    }

    @Test
    void theLastHoldCloses() throws Exception {
        SharedByKey things = new SharedByKey();
        SharedByKey.Hold<Thing> first = things.hold(new Key(0), Thing::new);
        SharedByKey.Hold<Thing> second = things.hold(new Key(0), Thing::new);
        SharedByKey.Hold<Thing> other = things.hold(new Key(1), Thing::new);
        assertThat(second.get()).isSameAs(first.get()).isNotSameAs(other.get());
        first.close();
        assertThat(second.get().isClosed).isFalse();
        second.close();
        assertThat(second.get().isClosed).isTrue();
        assertThat(other.get().isClosed).isFalse();
        other.close();
        try (SharedByKey.Hold<Thing> again = things.hold(new Key(0), Thing::new)) {
            assertThat(again.get().isClosed).isFalse();
        }
        assertThat(opened).hasValue(3);
        assertThat(closed).hasValue(3);
    }

    @Test
    void aFailureLeavesNothing() throws Exception {
        SharedByKey things = new SharedByKey();
        assertThatThrownBy(
                        () ->
                                things.hold(
                                        new Key(0),
                                        () -> {
                                            throw new BackendException("no kernels");
                                        }))
                .hasMessage("no kernels");
        things.hold(new Key(0), Thing::new).close();
        assertThat(opened).hasValue(1);
        assertThat(closed).hasValue(1);
    }

    @Test
    void anErrorLeavesNothing() throws Exception {
        SharedByKey things = new SharedByKey();
        assertThatThrownBy(
                        () ->
                                things.hold(
                                        new Key(0),
                                        () -> {
                                            throw new OutOfMemoryError("no heap");
                                        }))
                .hasMessage("no heap");
        things.hold(new Key(0), Thing::new).close();
        assertThat(closed).hasValue(1);
    }

    @Test
    void onlyThoseWhoWantItWaitForWhatIsBeingMade() throws Exception {
        SharedByKey things = new SharedByKey();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Future<SharedByKey.Hold<Thing>> first =
                threads.submit(
                        () ->
                                things.hold(
                                        new Key(0),
                                        () -> {
                                            begun.countDown();
                                            await(mayEnd);
                                            return new Thing();
                                        }));
        begun.await();
        things.hold(new Key(1), Thing::new).close();
        Future<SharedByKey.Hold<Thing>> second =
                threads.submit(() -> things.hold(new Key(0), Thing::new));
        assertThat(second.isDone()).isFalse();
        mayEnd.countDown();
        assertThat(second.get().get()).isSameAs(first.get().get());
        first.get().close();
        assertThat(second.get().get().isClosed).isFalse();
        second.get().close();
        threads.shutdown();
        assertThat(opened).hasValue(2);
        assertThat(closed).hasValue(2);
    }

    private static void await(CountDownLatch latch) throws BackendException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new BackendException("interrupted", e);
        }
    }

    @Test
    void manyThreads() throws Exception {
        SharedByKey things = new SharedByKey();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Boolean>> done = new ArrayList<>();
        Callable<Boolean> use =
                () -> {
                    boolean wasOpen = true;
                    for (int i = 0; i < 2_000; i++) {
                        try (SharedByKey.Hold<Thing> hold = things.hold(new Key(0), Thing::new)) {
                            wasOpen &= !hold.get().isClosed;
                        }
                    }
                    return wasOpen;
                };
        for (int i = 0; i < 8; i++) {
            done.add(threads.submit(use));
        }
        for (Future<Boolean> future : done) {
            assertThat(future.get()).isTrue();
        }
        threads.shutdown();
        assertThat(opened.get()).isEqualTo(closed.get()).isPositive();
    }
}
