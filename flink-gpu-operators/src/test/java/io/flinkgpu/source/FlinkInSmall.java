package io.flinkgpu.source;

import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;
import org.apache.flink.connector.file.src.impl.StaticFileSplitEnumerator;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

/**
 * The coordinator of a source and its readers, with everything between them as slow as the random
 * generator has it. A reader's checkpoint may overtake splits that were sent before, as unaligned ones
 * do in Flink 2.3.
 */
final class FlinkInSmall {

    private record Sent(long checkpoint, int subtask, FileSourceSplit split) {}

    private record Event(ReaderInSmall reader, SourceEvent event) {}

    /** A checkpoint, complete once each reader's part is there. */
    private record Checkpoint(
            long id,
            PendingSplitsCheckpoint<FileSourceSplit> enumerator,
            Map<Integer, ReaderInSmall.State> readers) {}

    final List<ReaderInSmall> readers = new ArrayList<>();

    private final Random random;
    private final Collection<FileSourceSplit> files;
    private final long enoughBytes;
    private final List<Sent> uncheckpointed = new ArrayList<>();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final Map<Integer, ReaderInSmall.State> restoredStates = new HashMap<>();
    private ConfirmingEnumerator enumerator;
    private Checkpoint complete;
    private Checkpoint pending;
    private long lastCheckpoint;

    /**
     * @param enoughBytes of splits that a reader is given at a time
     */
    FlinkInSmall(
            Collection<FileSourceSplit> files, int parallelism, long enoughBytes, Random random) {
        this.files = files;
        this.enoughBytes = enoughBytes;
        this.random = random;
        restart(parallelism);
    }

    /** A failure of the whole job, or a change of its parallelism. */
    void restart(int parallelism) {
        readers.clear();
        events.clear();
        uncheckpointed.clear();
        restoredStates.clear();
        pending = null;
        Context context = new Context(parallelism);
        enumerator =
                new ConfirmingEnumerator(
                        context,
                        complete == null ? null : complete.enumerator,
                        enoughBytes,
                        (numbering, checkpoint) ->
                                new StaticFileSplitEnumerator(
                                        numbering,
                                        new SplitQueue(
                                                checkpoint == null ? files : checkpoint.getSplits(),
                                                parallelism,
                                                1,
                                                1)));
        if (complete != null) {
            restoredStates.putAll(redistributed(complete.readers.values(), parallelism));
        }
        for (int subtask = 0; subtask < parallelism; subtask++) {
            readers.add(null);
        }
        List<Integer> order = new ArrayList<>();
        for (int subtask = 0; subtask < parallelism; subtask++) {
            order.add(subtask);
        }
        Collections.shuffle(order, random);
        order.forEach(this::startReader);
    }

    /** A failure of one task. */
    void restartReader(int subtask) {
        pending = null;
        ReaderInSmall failed = readers.get(subtask);
        events.removeIf(event -> event.reader == failed);
        long restored = complete == null ? 0 : complete.id;
        List<FileSourceSplit> back = new ArrayList<>();
        for (Sent sent : List.copyOf(uncheckpointed)) {
            if (sent.subtask == subtask && sent.checkpoint > restored) {
                back.add(sent.split);
                uncheckpointed.remove(sent);
            }
        }
        enumerator.addSplitsBack(back, subtask);
        startReader(subtask);
    }

    private void startReader(int subtask) {
        ReaderInSmall reader =
                new ReaderInSmall(subtask, restoredStates.get(subtask), random, this::send);
        readers.set(subtask, reader);
        reader.start();
    }

    private void send(ReaderInSmall reader, SourceEvent event) {
        events.add(new Event(reader, event));
    }

    /** A reader's request has arrived. */
    void request(int subtask) {
        enumerator.handleSplitRequest(subtask, "host");
    }

    /** Something happens, somewhere. */
    void step() {
        int what = random.nextInt(100);
        ReaderInSmall reader = readers.get(random.nextInt(readers.size()));
        if (what < 30 && !events.isEmpty()) {
            Event event = events.poll();
            if (event.event == ReaderInSmall.REQUEST) {
                request(event.reader.subtask());
            } else {
                enumerator.handleSourceEvent(event.reader.subtask(), event.event);
            }
        } else if (what < 90) {
            reader.step(pending != null && !pending.readers.containsKey(reader.subtask()));
        } else {
            checkpoint(reader);
        }
    }

    private void checkpoint(ReaderInSmall reader) {
        if (pending == null) {
            long id = ++lastCheckpoint;
            try {
                pending = new Checkpoint(id, enumerator.snapshotState(id), new HashMap<>());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            readers.forEach(ReaderInSmall::holdMails);
            readers.stream().filter(this::hasEnded).forEach(this::leaveOut);
        }
        if (!pending.readers.containsKey(reader.subtask())) {
            pending.readers.put(reader.subtask(), reader.snapshot(pending.id));
        }
        if (pending.readers.size() == readers.size()) {
            complete = pending;
            pending = null;
            restoredStates.clear();
            restoredStates.putAll(complete.readers);
            uncheckpointed.removeIf(sent -> sent.checkpoint <= complete.id);
            try {
                enumerator.notifyCheckpointComplete(complete.id);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Flink knows that a task has ended when all that it said has been heard. */
    private boolean hasEnded(ReaderInSmall reader) {
        return reader.hasEnded() && events.stream().noneMatch(event -> event.reader == reader);
    }

    /** A task that has ended has no part in a checkpoint but what it has read. */
    private void leaveOut(ReaderInSmall ended) {
        pending.readers.put(
                ended.subtask(), new ReaderInSmall.State(List.of(), List.copyOf(ended.read())));
    }

    private Map<Integer, ReaderInSmall.State> redistributed(
            Collection<ReaderInSmall.State> states, int parallelism) {
        List<FileSourceSplit> splits = new ArrayList<>();
        List<String> read = new ArrayList<>();
        for (ReaderInSmall.State state : states) {
            splits.addAll(state.splits());
            read.addAll(state.read());
        }
        Map<Integer, ReaderInSmall.State> result = new HashMap<>();
        for (int subtask = 0; subtask < parallelism; subtask++) {
            result.put(subtask, new ReaderInSmall.State(new ArrayList<>(), new ArrayList<>()));
        }
        if (states.size() == parallelism) {
            return new HashMap<>(complete.readers);
        }
        splits.forEach(split -> result.get(random.nextInt(parallelism)).splits().add(split));
        result.get(0).read().addAll(read);
        return result;
    }

    /** What Flink's coordinator is to the enumerator. */
    private final class Context implements SplitEnumeratorContext<FileSourceSplit> {

        private final int parallelism;

        Context(int parallelism) {
            this.parallelism = parallelism;
        }

        @Override
        public void assignSplits(SplitsAssignment<FileSourceSplit> splits) {
            splits.assignment()
                    .forEach(
                            (subtask, list) -> {
                                list.forEach(
                                        split ->
                                                uncheckpointed.add(
                                                        new Sent(
                                                                lastCheckpoint + 1,
                                                                subtask,
                                                                split)));
                                readers.get(subtask).mail(list);
                            });
        }

        @Override
        public void signalNoMoreSplits(int subtask) {
            readers.get(subtask).noMoreSplits();
        }

        @Override
        public int currentParallelism() {
            return parallelism;
        }

        @Override
        public Map<Integer, ReaderInfo> registeredReaders() {
            Map<Integer, ReaderInfo> infos = new HashMap<>();
            for (int subtask = 0; subtask < parallelism; subtask++) {
                infos.put(subtask, new ReaderInfo(subtask, "host"));
            }
            return infos;
        }

        @Override
        public SplitEnumeratorMetricGroup metricGroup() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sendEventToSourceReader(int subtask, SourceEvent event) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> void callAsync(
                Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void runInCoordinatorThread(Runnable runnable) {
            throw new UnsupportedOperationException();
        }
    }
}
