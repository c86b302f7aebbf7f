package io.flinkgpu.bench;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Rows of random keys in the order of their time. Which rows there are does not depend on the
 * parallelism: row {@code n} is made by subtask {@code n} modulo parallelism. Rows are new objects, as
 * those of a connector are. Splits are not used, and a job cannot be restored.
 *
 * @param <T> what carries a row
 */
final class KeysSource<T>
        implements Source<T, NumberSequenceSplit, Collection<NumberSequenceSplit>>,
                ResultTypeQueryable<T> {

    private static final long serialVersionUID = 1L;

    private static final int ROWS_A_POLL = 256;

    private final KeysCell cell;
    private final Maker<T> maker;
    private final TypeInformation<T> type;
    private final boolean held;
    private final NumberSequenceSource splits;

    /**
     * @param held whether the end of the rows waits in {@link KeysHold}
     */
    KeysSource(KeysCell cell, Maker<T> maker, TypeInformation<T> type, boolean held) {
        this.cell = cell;
        this.maker = maker;
        this.type = type;
        this.held = held;
        splits = new NumberSequenceSource(0, 0);
    }

    /** Makes what carries a row. */
    @FunctionalInterface
    interface Maker<T> extends Serializable {
        T make(long key, double value);
    }

    @Override
    public SourceReader<T, NumberSequenceSplit> createReader(SourceReaderContext context) {
        return new Reader<>(
                cell, maker, held, context.getIndexOfSubtask(), context.currentParallelism());
    }

    @Override
    public TypeInformation<T> getProducedType() {
        return type;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
            SplitEnumeratorContext<NumberSequenceSplit> context) {
        return splits.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> restoreEnumerator(
            SplitEnumeratorContext<NumberSequenceSplit> context,
            Collection<NumberSequenceSplit> checkpoint) {
        return splits.restoreEnumerator(context, checkpoint);
    }

    @Override
    public SimpleVersionedSerializer<NumberSequenceSplit> getSplitSerializer() {
        return splits.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Collection<NumberSequenceSplit>>
            getEnumeratorCheckpointSerializer() {
        return splits.getEnumeratorCheckpointSerializer();
    }

    /** One subtask's rows. */
    private static final class Reader<T> implements SourceReader<T, NumberSequenceSplit> {

        private final Maker<T> maker;
        private final boolean held;
        private final KeysCell cell;
        private final long rows;
        private final long rowsAMilli;
        private final long watermarkMillis;
        private final int parallelism;
        private long row;
        private long millis;
        private long rowOfMilli;
        private long nextWatermark;
        private CompletableFuture<Void> available = CompletableFuture.completedFuture(null);
        private boolean arrived;

        Reader(KeysCell cell, Maker<T> maker, boolean held, int subtask, int parallelism) {
            this.maker = maker;
            this.held = held;
            this.parallelism = parallelism;
            this.cell = cell;
            rows = cell.rows();
            rowsAMilli = cell.rowsAMilli();
            watermarkMillis = cell.watermarkMillis();
            nextWatermark = watermarkMillis;
            row = subtask;
            rowOfMilli = subtask;
            carry();
        }

        private void carry() {
            while (rowOfMilli >= rowsAMilli) {
                rowOfMilli -= rowsAMilli;
                millis++;
            }
        }

        @Override
        public InputStatus pollNext(ReaderOutput<T> output) {
            for (int i = 0; i < ROWS_A_POLL && row < rows; i++) {
                if (millis >= nextWatermark) {
                    output.emitWatermark(new Watermark(millis - 1));
                    nextWatermark = millis + watermarkMillis;
                }
                long hash = KeysTally.mix(row);
                long key = cell.key(hash);
                output.collect(maker.make(key, (hash & 0xfffff) / 1024.0), millis);
                row += parallelism;
                rowOfMilli += parallelism;
                carry();
            }
            if (row < rows) {
                return InputStatus.MORE_AVAILABLE;
            }
            if (held && !arrived) {
                arrived = true;
                available = KeysHold.arrive();
            }
            return available.isDone() ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return available;
        }

        @Override
        public List<NumberSequenceSplit> snapshotState(long checkpointId) {
            return List.of();
        }

        @Override
        public void start() {}

        @Override
        public void addSplits(List<NumberSequenceSplit> more) {}

        @Override
        public void notifyNoMoreSplits() {}

        @Override
        public void close() {}
    }
}
