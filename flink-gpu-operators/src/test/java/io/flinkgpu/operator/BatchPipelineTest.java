package io.flinkgpu.operator;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.Submission;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.text.automaton.Cancellation;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The pipeline alone: what its thread does when results, batches and devices misbehave.
 *
 * <p>Covers: BatchPipeline, AbstractBatchOperator, BatchFunction, PendingBatch, RecordBatches, operator.RecordReader.
 */
@Timeout(60)
class BatchPipelineTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final BufferAllocator allocator = new RootAllocator(1 << 20);
    private final Semaphore done = new Semaphore(0);
    private final CountDownLatch awaited = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicBoolean programClosed = new AtomicBoolean();
    private final AtomicBoolean closedInterrupted = new AtomicBoolean();
    private Runnable onDone = done::release;
    private Throwable openFailure;
    private final Semaphore started = new Semaphore(0);
    private final Semaphore applied = new Semaphore(0);
    private boolean changesBesideBatches;

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void closeGivesUpOnADeviceThatDoesNotAnswerAndTheThreadCleansUpLater() throws Exception {
        BatchPipeline<AutoCloseable> pipeline = pipeline(() -> awaitAnswer());
        pipeline.open();
        pipeline.submit(batch()).abandon();
        awaited.await();
        // An exception would end the process if the task was cancelled.
        pipeline.close(Duration.ofMillis(50));
        assertThat(programClosed).isFalse();
        answer.countDown();
        pipeline.close(LONG);
        assertThat(programClosed).isTrue();
    }

    @Test
    @Timeout(20)
    void closeInterruptsWhatTheThreadWorksOn() throws Exception {
        BatchPipeline<AutoCloseable> pipeline =
                pipeline(
                        () -> {
                            awaited.countDown();
                            while (true) {
                                Cancellation.check();
                            }
                        });
        pipeline.open();
        pipeline.submit(batch()).abandon();
        awaited.await();
        pipeline.close(LONG);
        assertThat(programClosed).isTrue();
    }

    @Test
    void anErrorAtOpenIsThrownAsItIsAndALostDeviceEndsTheProcess() {
        OutOfMemoryError error = new OutOfMemoryError("made up");
        assertThatThrownBy(() -> failingAtOpen(error).open()).isSameAs(error);
        FatalDeviceException lost = new FatalDeviceException("the context is lost");
        assertThatThrownBy(() -> failingAtOpen(lost).open())
                .isExactlyInstanceOf(InternalError.class)
                .hasMessage("the context is lost")
                .hasCause(lost);
    }

    @Test
    void aResultThatCannotBeClosedFailsTheBatchesBehindIt() throws Exception {
        AutoCloseable result =
                () -> {
                    throw new IllegalStateException("cannot close");
                };
        BatchPipeline<AutoCloseable> pipeline =
                pipeline(
                        () -> {
                            awaitAnswer();
                            return result;
                        });
        pipeline.open();
        pipeline.submit(batch()).abandon();
        answer.countDown();
        done.acquire();
        BatchTicket<AutoCloseable> next = pipeline.submit(batch());
        done.acquire();
        assertThat(next.isDone()).isTrue();
        assertThat(next.failure()).hasMessage("cannot close");
        assertThatThrownBy(() -> pipeline.close(LONG)).isInstanceOf(IllegalStateException.class);
        assertThat(programClosed).isTrue();
    }

    /** As where there is no heap for a mail. The task waits for one, and no other batch may come. */
    @Test
    void aBatchThatCouldNotBeToldOfIsToldOfAgain() throws Exception {
        AtomicBoolean hasHeap = new AtomicBoolean();
        onDone =
                () -> {
                    if (!hasHeap.getAndSet(true)) {
                        throw new OutOfMemoryError("made up");
                    }
                    done.release();
                };
        BatchPipeline<AutoCloseable> pipeline = pipeline(() -> () -> {});
        pipeline.open();
        BatchTicket<AutoCloseable> ticket = pipeline.submit(batch());
        assertThat(done.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ticket.isDone()).isTrue();
        ticket.abandon();
        pipeline.close(LONG);
    }

    @Test
    void batchesNobodyStartedAreClosed() throws Exception {
        BatchPipeline<AutoCloseable> pipeline = pipeline(() -> awaitAnswer());
        pipeline.open();
        for (int i = 0; i < 10; i++) {
            pipeline.submit(batch()).abandon();
        }
        answer.countDown();
        pipeline.close(LONG);
        pipeline.close(LONG);
        assertThat(programClosed).isTrue();
    }

    @Test
    void whatIsClosedIsNotInterrupted() throws Exception {
        for (int i = 0; i < 500; i++) {
            BatchPipeline<AutoCloseable> pipeline = pipeline(() -> () -> {});
            pipeline.open();
            pipeline.close(LONG);
            assertThat(closedInterrupted).as("close %s", i).isFalse();
        }
    }

    @Test
    void changesAndBatchesJoinABatchUnderWayWhereTheyMay() throws Exception {
        changesBesideBatches = true;
        BatchPipeline<AutoCloseable> pipeline = pipeline(underWay());
        pipeline.open();
        BatchTicket<AutoCloseable> first = pipeline.submit(batch());
        assertThat(started.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        BatchTicket<AutoCloseable> changes = pipeline.submitChanges(batch());
        assertThat(applied.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        BatchTicket<AutoCloseable> second = pipeline.submit(batch());
        assertThat(started.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        assertThat(first.isDone()).isFalse();
        assertThat(changes.isDone()).isFalse();
        answer.countDown();
        done.acquire(3);
        assertThat(first.isDone() && changes.isDone() && second.isDone()).isTrue();
        first.abandon();
        changes.abandon();
        second.abandon();
        pipeline.close(LONG);
    }

    @Test
    void changesWaitForBatchesUnderWayWhereTheyMayNotBeBeside() throws Exception {
        BatchPipeline<AutoCloseable> pipeline = pipeline(underWay());
        pipeline.open();
        BatchTicket<AutoCloseable> first = pipeline.submit(batch());
        BatchTicket<AutoCloseable> changes = pipeline.submitChanges(batch());
        assertThat(applied.tryAcquire(50, TimeUnit.MILLISECONDS)).isFalse();
        answer.countDown();
        done.acquire(2);
        assertThat(applied.tryAcquire()).isTrue();
        first.abandon();
        changes.abandon();
        pipeline.close(LONG);
    }

    @Test
    void changesFailWithTheBatchTheyWaitedFor() throws Exception {
        AutoCloseable result =
                () -> {
                    throw new IllegalStateException("cannot close");
                };
        Submission<AutoCloseable> underWayUntilItIsAwaited =
                new Submission<>() {
                    @Override
                    public AutoCloseable await() {
                        return result;
                    }

                    @Override
                    public boolean isDone() {
                        return false;
                    }
                };
        BatchPipeline<AutoCloseable> pipeline = pipeline(underWayUntilItIsAwaited);
        pipeline.open();
        pipeline.submit(batch()).abandon();
        BatchTicket<AutoCloseable> changes = pipeline.submitChanges(batch());
        assertThat(done.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        assertThat(changes.isDone()).isTrue();
        assertThat(changes.failure()).hasMessage("cannot close");
        assertThat(applied.tryAcquire()).isFalse();
        assertThatThrownBy(() -> pipeline.close(LONG)).isInstanceOf(IllegalStateException.class);
    }

    /** Work that is done once there is an answer. */
    private Submission<AutoCloseable> underWay() {
        return new Submission<>() {
            @Override
            public AutoCloseable await() {
                return awaitAnswer();
            }

            @Override
            public boolean isDone() {
                return answer.getCount() == 0;
            }
        };
    }

    @Test
    void closeBeforeOpenDoesNothing() throws Exception {
        pipeline(() -> () -> {}).close(LONG);
        assertThat(programClosed).isFalse();
    }

    private AutoCloseable awaitAnswer() {
        awaited.countDown();
        // As a device, which nothing interrupts.
        while (answer.getCount() > 0) {
            Thread.onSpinWait();
        }
        return () -> {};
    }

    private ColumnBatch batch() {
        try (BatchBuilder builder = new BatchBuilder(allocator, 1, 10, 0)) {
            builder.append("x");
            return builder.build();
        }
    }

    private BatchPipeline<AutoCloseable> failingAtOpen(Throwable failure) {
        openFailure = failure;
        return pipeline(() -> () -> {});
    }

    private BatchPipeline<AutoCloseable> pipeline(Submission<AutoCloseable> work) {
        BatchProgram<AutoCloseable> program =
                new BatchProgram<>() {
                    @Override
                    public Backend open() throws Exception {
                        if (openFailure instanceof Error error) {
                            throw error;
                        }
                        if (openFailure != null) {
                            throw (Exception) openFailure;
                        }
                        return null;
                    }

                    @Override
                    public Submission<AutoCloseable> submit(ColumnBatch batch) {
                        started.release();
                        return work;
                    }

                    @Override
                    public void apply(ColumnBatch changes) {
                        applied.release();
                    }

                    @Override
                    public boolean changesBesideBatches() {
                        return changesBesideBatches;
                    }

                    @Override
                    public void runInParts(ColumnBatch batch, Parts<AutoCloseable> parts) {
                        throw new AssertionError("there is memory");
                    }

                    @Override
                    public void close() {
                        // As a backend that waits for another process, or a thread.
                        Thread.yield();
                        closedInterrupted.set(Thread.currentThread().isInterrupted());
                        programClosed.set(true);
                    }
                };
        return new BatchPipeline<>(
                "test", getClass().getClassLoader(), program, () -> onDone.run());
    }
}
