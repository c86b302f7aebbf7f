package io.flinkgpu.source;

import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lists files for ever, and gives out the whole lines that they have more each time. Flink's own gives out a
 * file once, as long as it is then. Calls come from the coordinator's thread; another one lists.
 */
final class FollowingEnumerator
        implements SplitEnumerator<FileSourceSplit, PendingSplitsCheckpoint<FileSourceSplit>> {

    private static final Logger LOG = LoggerFactory.getLogger(FollowingEnumerator.class);

    private final SplitEnumeratorContext<FileSourceSplit> context;
    private final FileLister files;
    private final Duration interval;
    private final SplitQueue queue;
    private final FileFollower follower;

    /** How far files were given out; the thread that lists reads it. */
    private final Map<Path, Long> known = new ConcurrentHashMap<>();

    /** Files that a savepoint of before knows, which does not say how far. */
    private final Set<Path> notFollowed = new HashSet<>();

    private final Map<Integer, String> waiting = new LinkedHashMap<>();
    private final Counter grown;
    private final Counter begunAnew;
    private final Counter lostRecords;

    /**
     * @param checkpoint empty to begin
     */
    FollowingEnumerator(
            SplitEnumeratorContext<FileSourceSplit> context,
            FileLister files,
            FileFollower follower,
            Duration interval,
            SplitQueue queue,
            Optional<PendingSplitsCheckpoint<FileSourceSplit>> checkpoint) {
        this.context = context;
        this.files = files;
        this.follower = follower;
        this.interval = interval;
        this.queue = queue;
        MetricGroup group = context.metricGroup().addGroup("gpu");
        this.grown = group.counter("followedFiles");
        this.begunAnew = group.counter("replacedFiles");
        this.lostRecords = group.counter("lostRecords");
        checkpoint.ifPresent(this::restore);
    }

    private void restore(PendingSplitsCheckpoint<FileSourceSplit> checkpoint) {
        for (FileSourceSplit split : checkpoint.getSplits()) {
            if (KnownFile.isMarker(split)) {
                KnownFile file = KnownFile.parse(split);
                known.put(file.path(), file.end());
            }
        }
        queue.addSplits(withoutMarkers(checkpoint.getSplits()));
        notFollowed.addAll(checkpoint.getAlreadyProcessedPaths());
    }

    /** The splits of a checkpoint that are splits. */
    static List<FileSourceSplit> withoutMarkers(Collection<FileSourceSplit> splits) {
        return splits.stream().filter(split -> !KnownFile.isMarker(split)).toList();
    }

    /**
     * Lists files for the first time, at once.
     *
     * @throws IOException if they cannot be listed
     */
    void listFirst() throws IOException {
        add(look());
    }

    @Override
    public void start() {
        context.callAsync(this::look, this::found, interval.toMillis(), interval.toMillis());
    }

    private List<FileFollower.More> look() throws IOException {
        return follower.look(files.files(), known::get);
    }

    private void found(List<FileFollower.More> more, Throwable failure) {
        if (failure != null) {
            LOG.error(
                    "files cannot be listed, and will be again: inputs={}", files.paths(), failure);
            return;
        }
        add(more);
        assign();
    }

    private void add(List<FileFollower.More> found) {
        List<FileSourceSplit> splits = new ArrayList<>();
        long listedMillis = System.currentTimeMillis();
        for (FileFollower.More more : found) {
            // Another listing may have begun before this one was heard of.
            if (notFollowed.contains(more.path())
                    || !Objects.equals(known.get(more.path()), more.known())) {
                continue;
            }
            known.put(more.path(), more.end());
            count(more);
            if (more.end() > more.from()) {
                splits.add(
                        new FileSourceSplit(
                                SplitQueue.fileId(listedMillis, splits.size()),
                                more.path(),
                                more.from(),
                                more.end() - more.from(),
                                more.modifiedMillis(),
                                more.end()));
            }
        }
        queue.addSplits(splits);
    }

    private void count(FileFollower.More more) {
        if (more.losesRecord()) {
            lostRecords.inc();
            LOG.warn(
                    "a file was cut or replaced while its last record waited, which is lost: file={};"
                            + " use a maxWait that is shorter than the time until it is rotated",
                    more.path());
        }
        if (more.beginsAnew()) {
            begunAnew.inc();
            LOG.warn(
                    "a file was cut or replaced and is read from its start: file={}, readBytes={}",
                    more.path(),
                    more.known());
        } else if (more.known() != null) {
            grown.inc();
        }
    }

    @Override
    public void addReader(int subtask) {}

    @Override
    public void handleSplitRequest(int subtask, String hostname) {
        waiting.put(subtask, hostname);
        assign();
    }

    private void assign() {
        for (Iterator<Map.Entry<Integer, String>> readers = waiting.entrySet().iterator();
                readers.hasNext(); ) {
            Map.Entry<Integer, String> reader = readers.next();
            // One that failed asks again when it is back.
            if (context.registeredReaders().containsKey(reader.getKey())) {
                Optional<FileSourceSplit> next = queue.getNext(reader.getValue());
                if (next.isEmpty()) {
                    return;
                }
                context.assignSplit(next.get(), reader.getKey());
            }
            readers.remove();
        }
    }

    @Override
    public void addSplitsBack(List<FileSourceSplit> splits, int subtask) {
        queue.addSplits(splits);
    }

    @Override
    public PendingSplitsCheckpoint<FileSourceSplit> snapshotState(long checkpointId) {
        List<FileSourceSplit> splits = new ArrayList<>(queue.remainingSplits());
        known.forEach((path, end) -> splits.add(new KnownFile(path, end).asMarker()));
        return PendingSplitsCheckpoint.fromCollectionSnapshot(splits, notFollowed);
    }

    @Override
    public void close() {}
}
