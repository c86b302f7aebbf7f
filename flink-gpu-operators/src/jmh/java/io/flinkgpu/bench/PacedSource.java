package io.flinkgpu.bench;

import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The times at which records are due, in nanoseconds of {@link System#nanoTime}, each when it is due, or
 * later if what follows is not ready for it. One subtask.
 *
 * @param records how many
 * @param perSecond how many are due in a second, evenly; 0 if all are due at once
 */
record PacedSource(long records, long perSecond)
        implements Source<
                Long, NumberSequenceSplit, Collection<NumberSequenceSplit>> {

    private static final long serialVersionUID = 1L;

    private NumberSequenceSource numbers() {
        return new NumberSequenceSource(0, records - 1);
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<Long, NumberSequenceSplit> createReader(SourceReaderContext context) {
        return new Reader(context, records, perSecond);
    }

    @Override
    public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
            SplitEnumeratorContext<NumberSequenceSplit> context) {
        return numbers().createEnumerator(context);
    }

    @Override
    public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> restoreEnumerator(
            SplitEnumeratorContext<NumberSequenceSplit> context,
            Collection<NumberSequenceSplit> checkpoint) {
        return numbers().restoreEnumerator(context, checkpoint);
    }

    @Override
    public SimpleVersionedSerializer<NumberSequenceSplit> getSplitSerializer() {
        return numbers().getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Collection<NumberSequenceSplit>>
            getEnumeratorCheckpointSerializer() {
        return numbers().getEnumeratorCheckpointSerializer();
    }

    /** Reads the only split there is. */
    private static final class Reader implements SourceReader<Long, NumberSequenceSplit> {

        private static final long NANOS_PER_SECOND = 1_000_000_000;
        private static final Executor SOON =
                CompletableFuture.delayedExecutor(200, TimeUnit.MICROSECONDS);

        private final SourceReaderContext context;
        private final CompletableFuture<Void> arrived = new CompletableFuture<>();
        private final long records;
        private final long perSecond;
        private long startNanos;
        private long emitted;

        Reader(SourceReaderContext context, long records, long perSecond) {
            this.context = context;
            this.records = records;
            this.perSecond = perSecond;
        }

        @Override
        public void start() {
            context.sendSplitRequest();
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Long> output) {
            if (!arrived.isDone()) {
                return InputStatus.NOTHING_AVAILABLE;
            }
            long now = System.nanoTime();
            if (emitted == 0) {
                startNanos = now;
            }
            long due = perSecond == 0 ? now : startNanos + emitted * NANOS_PER_SECOND / perSecond;
            if (due > now) {
                return InputStatus.NOTHING_AVAILABLE;
            }
            output.collect(due);
            return ++emitted == records ? InputStatus.END_OF_INPUT : InputStatus.MORE_AVAILABLE;
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return arrived.isDone() ? CompletableFuture.runAsync(() -> {}, SOON) : arrived;
        }

        @Override
        public void addSplits(List<NumberSequenceSplit> splits) {
            arrived.complete(null);
        }

        @Override
        public List<NumberSequenceSplit> snapshotState(long checkpointId) {
            throw new UnsupportedOperationException("a benchmark takes no checkpoints");
        }

        @Override
        public void notifyNoMoreSplits() {}

        @Override
        public void close() {}
    }
}
