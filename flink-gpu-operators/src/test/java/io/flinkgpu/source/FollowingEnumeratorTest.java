package io.flinkgpu.source;

import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.FileSourceSplitSerializer;
import org.apache.flink.connector.file.src.PendingSplitsCheckpoint;
import org.apache.flink.connector.file.src.PendingSplitsCheckpointSerializer;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What of growing files is given out across checkpoints, of this release and of before.
 *
 * <p>Covers: FollowingEnumerator.
 */
class FollowingEnumeratorTest {

    @TempDir private java.nio.file.Path directory;
    private final List<String> given = new ArrayList<>();
    private Callable<Object> listing;
    private BiConsumer<Object, Throwable> handler;

    @Test
    void goesOnWhereACheckpointWas() throws Exception {
        Files.writeString(directory.resolve("a.log"), "one\ntw");
        FollowingEnumerator first = enumerator(Optional.empty());
        first.listFirst();
        PendingSplitsCheckpoint<FileSourceSplit> checkpoint = stored(first);
        first.handleSplitRequest(0, "host");
        assertThat(given).containsExactly("a.log 0+4 of 4");
        PendingSplitsCheckpoint<FileSourceSplit> later = stored(first);
        Files.writeString(directory.resolve("a.log"), "one\ntwo\nthree");
        given.clear();
        FollowingEnumerator restored = enumerator(Optional.of(checkpoint));
        askForAll(restored);
        assertThat(given).containsExactly("a.log 0+4 of 4", "a.log 4+4 of 8");
        given.clear();
        askForAll(enumerator(Optional.of(later)));
        assertThat(given).containsExactly("a.log 4+4 of 8");
    }

    /** Nobody knows how far it was read, perhaps to the middle of a line. */
    @Test
    void aFileOfACheckpointOfBeforeIsNotReadAgain() throws Exception {
        Files.writeString(directory.resolve("a.log"), "one\ntwo\n");
        Files.writeString(directory.resolve("b.log"), "new\n");
        Path known = new Path(directory.resolve("a.log").toUri());
        FileSourceSplit waiting = new FileSourceSplit("1+0", known, 0, 4, 0, 4);
        FollowingEnumerator restored =
                enumerator(
                        Optional.of(
                                PendingSplitsCheckpoint.fromCollectionSnapshot(
                                        List.of(waiting), List.of(known))));
        askForAll(restored);
        assertThat(given).containsExactlyInAnyOrder("a.log 0+4 of 4", "b.log 0+4 of 4");
        assertThat(stored(restored).getAlreadyProcessedPaths()).containsExactly(known);
    }

    /** A listing that began before the one before it was heard of finds the same again. */
    @Test
    void whatTwoListingsFindIsGivenOutOnce() throws Exception {
        FollowingEnumerator enumerator = enumerator(Optional.empty());
        enumerator.listFirst();
        enumerator.start();
        Files.writeString(directory.resolve("a.log"), "one\n");
        Object found = listing.call();
        handler.accept(found, null);
        handler.accept(found, null);
        enumerator.handleSplitRequest(0, "host");
        enumerator.handleSplitRequest(0, "host");
        assertThat(given).containsExactly("a.log 0+4 of 4");
    }

    @Test
    void refusesAVersionThatIsNotKnown() {
        FileSourceSplit later = new FileSourceSplit("=z", new Path("/a.log"), 4, 0, 0, 4);
        assertThatThrownBy(
                        () ->
                                enumerator(
                                        Optional.of(
                                                PendingSplitsCheckpoint.fromCollectionSnapshot(
                                                        List.of(later)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "a file in a checkpoint is of a version that this release does not know:"
                                + " version='z', known='b', file=/a.log; restore it with the release"
                                + " that wrote it, or a later one");
    }

    private void askForAll(FollowingEnumerator enumerator) throws Exception {
        enumerator.start();
        handler.accept(listing.call(), null);
        for (int i = 0; i < 4; i++) {
            enumerator.handleSplitRequest(0, "host");
        }
    }

    private FollowingEnumerator enumerator(
            Optional<PendingSplitsCheckpoint<FileSourceSplit>> checkpoint) {
        return new FollowingEnumerator(
                context(),
                FileLister.of(List.of(FileInput.of(new Path(directory.toUri())))),
                new FileFollower(null),
                Duration.ofSeconds(1),
                new SplitQueue(List.of(), 1, 1 << 20, 1 << 20),
                checkpoint);
    }

    private static PendingSplitsCheckpoint<FileSourceSplit> stored(FollowingEnumerator enumerator)
            throws IOException {
        PendingSplitsCheckpointSerializer<FileSourceSplit> serializer =
                new PendingSplitsCheckpointSerializer<>(FileSourceSplitSerializer.INSTANCE);
        return serializer.deserialize(
                serializer.getVersion(), serializer.serialize(enumerator.snapshotState(1)));
    }

    @SuppressWarnings("unchecked") // What Flink declares.
    private SplitEnumeratorContext<FileSourceSplit> context() {
        return (SplitEnumeratorContext<FileSourceSplit>)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {SplitEnumeratorContext.class},
                        (proxy, method, arguments) -> {
                            switch (method.getName()) {
                                case "metricGroup":
                                    return UnregisteredMetricsGroup
                                            .createSplitEnumeratorMetricGroup();
                                case "registeredReaders":
                                    return Map.of(0, new ReaderInfo(0, "host"));
                                case "assignSplit":
                                    FileSourceSplit split = (FileSourceSplit) arguments[0];
                                    given.add(
                                            "%s %d+%d of %d"
                                                    .formatted(
                                                            split.path().getName(),
                                                            split.offset(),
                                                            split.length(),
                                                            split.fileSize()));
                                    return null;
                                case "callAsync":
                                    listing = (Callable<Object>) arguments[0];
                                    handler = (BiConsumer<Object, Throwable>) arguments[1];
                                    return null;
                                default:
                                    throw new UnsupportedOperationException(method.getName());
                            }
                        });
    }
}
