package io.flinkgpu.source;

import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** A task with a {@link ConfirmingReader}, whose splits are read in one go, and what it has read. */
final class ReaderInSmall {

    /** Stands for Flink's own event. */
    static final SourceEvent REQUEST =
            new SourceEvent() {
                private static final long serialVersionUID = 1L;
            };

    /** A task's part of a checkpoint. */
    record State(List<FileSourceSplit> splits, List<String> read) {}

    private final int subtask;
    private final Random random;
    private final BiConsumer<ReaderInSmall, SourceEvent> events;
    private final ArrayDeque<List<FileSourceSplit>> mails = new ArrayDeque<>();
    private final List<FileSourceSplit> splits = new ArrayList<>();
    private final List<String> read = new ArrayList<>();
    private final ConfirmingReader<String> reader;
    private int mailsBeforeCheckpoint;
    private boolean asked;
    private boolean noMoreSplits;
    private boolean ended;

    ReaderInSmall(
            int subtask,
            State state,
            Random random,
            BiConsumer<ReaderInSmall, SourceEvent> events) {
        this.subtask = subtask;
        this.random = random;
        this.events = events;
        this.reader = new ConfirmingReader<>(new Inner(), new Context());
        if (state != null) {
            read.addAll(state.read);
            reader.addSplits(state.splits);
        }
    }

    int subtask() {
        return subtask;
    }

    List<String> read() {
        return read;
    }

    void start() {
        reader.start();
    }

    /** What Flink's operator does, once it has outputs for all splits. */
    void poll(ReaderOutput<String> output) throws Exception {
        reader.pollNext(output);
    }

    void mail(List<FileSourceSplit> sent) {
        mails.add(sent);
    }

    /** How many splits are on their way to the reader. */
    int mails() {
        return mails.stream().mapToInt(List::size).sum();
    }

    void noMoreSplits() {
        noMoreSplits = true;
    }

    /** Whether all was read that there will be; what is sent to it now, it does not read. */
    boolean hasEnded() {
        return ended;
    }

    /** Splits that are sent from now on come behind the trigger of the checkpoint. */
    void holdMails() {
        mailsBeforeCheckpoint = mails.size();
    }

    void step(boolean awaitsTrigger) {
        if (ended) {
            return;
        }
        if (!mails.isEmpty() && random.nextInt(4) == 0) {
            if (!awaitsTrigger || mailsBeforeCheckpoint-- > 0) {
                asked = false;
                reader.addSplits(mails.poll());
            }
        } else if (!splits.isEmpty()) {
            read.add(splits.remove(0).path().getName());
        } else if (!asked) {
            asked = true;
            events.accept(this, REQUEST);
        }
        ended = noMoreSplits && asked && mails.isEmpty() && splits.isEmpty();
    }

    State snapshot(long checkpointId) {
        return new State(reader.snapshotState(checkpointId), List.copyOf(read));
    }

    /** Flink's reader. */
    private final class Inner implements SourceReader<String, FileSourceSplit> {

        @Override
        public void start() {}

        @Override
        public InputStatus pollNext(ReaderOutput<String> output) {
            return InputStatus.NOTHING_AVAILABLE;
        }

        @Override
        public List<FileSourceSplit> snapshotState(long checkpointId) {
            return List.copyOf(splits);
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void addSplits(List<FileSourceSplit> newSplits) {
            splits.addAll(newSplits);
        }

        @Override
        public void notifyNoMoreSplits() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private final class Context implements SourceReaderContext {

        @Override
        public int getIndexOfSubtask() {
            return subtask;
        }

        @Override
        public void sendSourceEventToCoordinator(SourceEvent event) {
            events.accept(ReaderInSmall.this, event);
        }

        @Override
        public SourceReaderMetricGroup metricGroup() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Configuration getConfiguration() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String getLocalHostName() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sendSplitRequest() {
            throw new UnsupportedOperationException();
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            throw new UnsupportedOperationException();
        }
    }
}
