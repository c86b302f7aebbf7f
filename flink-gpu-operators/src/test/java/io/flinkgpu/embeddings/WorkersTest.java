package io.flinkgpu.embeddings;

import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: Workers.
 */
class WorkersTest {

    private static Workers workers(int threads) {
        return new Workers("test", threads);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void eachPartIsDoneOnce(int threads) throws IOException {
        try (Workers workers = workers(threads)) {
            for (int parts : new int[] {0, 1, 2, 3, 1_000}) {
                AtomicIntegerArray done = new AtomicIntegerArray(parts);
                workers.run(parts, done::incrementAndGet);
                for (int part = 0; part < parts; part++) {
                    assertThat(done.get(part)).isEqualTo(1);
                }
            }
        }
    }

    /** Of two failures that of the first part, though it comes later, and when nobody works any more. */
    @Test
    void theFirstFailureIsThrownOnce() {
        try (Workers workers = workers(4)) {
            CountDownLatch secondFails = new CountDownLatch(1);
            AtomicInteger working = new AtomicInteger();
            assertThatThrownBy(
                            () ->
                                    workers.run(
                                            1_000,
                                            part -> {
                                                working.incrementAndGet();
                                                try {
                                                    if (part == 3) {
                                                        secondFails.countDown();
                                                        throw new IllegalStateException("second");
                                                    }
                                                    if (part == 2) {
                                                        await(secondFails);
                                                        throw new IOException("first");
                                                    }
                                                } finally {
                                                    working.decrementAndGet();
                                                }
                                            }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("first")
                    .hasNoSuppressedExceptions();
            assertThat(working).hasValue(0);
            assertThatThrownBy(
                            () ->
                                    workers.run(
                                            4,
                                            part -> {
                                                throw new StackOverflowError("part " + part);
                                            }))
                    .isInstanceOf(StackOverflowError.class)
                    .hasMessage("part 0");
        }
    }

    /** What a caller frees after an interrupt is not used any more. */
    @Test
    void anInterruptedCallerWaitsForItsThreads() {
        Thread caller = Thread.currentThread();
        AtomicInteger working = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger workingAtTheEnd = new AtomicInteger(-1);
        Workers.Work interrupting =
                part -> {
                    working.incrementAndGet();
                    begun.incrementAndGet();
                    caller.interrupt();
                    pause();
                    working.decrementAndGet();
                };
        try (Workers workers = workers(2)) {
            assertThatThrownBy(
                            () -> {
                                try {
                                    workers.run(1_000_000, interrupting);
                                } finally {
                                    workingAtTheEnd.set(working.get());
                                }
                            })
                    .isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(workingAtTheEnd).hasValue(0);
            assertThat(begun.get()).isLessThan(1_000_000);
        }
    }

    /** Once with the caller's thread alone, then with as many as there are. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void allIsDoneWithTheThreadsThatTheSystemHas(int left) throws IOException {
        AtomicInteger started = new AtomicInteger();
        ThreadFactory factory =
                task -> {
                    if (started.get() == left) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    started.incrementAndGet();
                    return new Thread(task);
                };
        try (Workers workers = new Workers(4, factory)) {
            for (int round = 0; round < 3; round++) {
                AtomicInteger done = new AtomicInteger();
                workers.run(100, part -> done.incrementAndGet());
                assertThat(done).hasValue(100);
            }
            assertThatThrownBy(
                            () ->
                                    workers.run(
                                            100,
                                            part -> {
                                                throw new IOException("part " + part);
                                            }))
                    .hasMessage("part 0");
        }
        assertThat(started).hasValue(left);
    }

    @Test
    void memoryIsZeroedUpToItsEnd() throws IOException {
        long bytes = (64L << 20) + 8;
        long address = MemoryUtil.allocateMemory(bytes + Long.BYTES);
        try (Workers workers = workers(3)) {
            MemoryUtil.setMemory(address, bytes + Long.BYTES, (byte) 1);
            workers.zero(address, bytes);
            for (long at = 0; at < bytes; at += Long.BYTES) {
                if (MemoryUtil.getLong(address + at) != 0) {
                    assertThat(at).as("not zeroed").isNegative();
                }
            }
            assertThat(MemoryUtil.getLong(address + bytes)).isEqualTo(0x0101_0101_0101_0101L);
        } finally {
            MemoryUtil.freeMemory(address);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
