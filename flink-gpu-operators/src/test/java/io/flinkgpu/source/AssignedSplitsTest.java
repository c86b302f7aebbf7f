package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a checkpoint has of the splits on their way to readers, and what a restart makes of it.
 *
 * <p>Covers: AssignedSplits.
 */
class AssignedSplitsTest {

    private static final int READER = 3;

    private final AssignedSplits assigned = new AssignedSplits();

    @Test
    void aSplitWithoutAWordOfItIsLost() {
        assigned.assign(split(), READER);
        assertThat(restored(assigned, 1).takeAllLost(Map.of(READER, 0L)))
                .extracting(FileSourceSplit::splitId)
                .containsExactly("1");
    }

    @Test
    void aSplitOfAReaderThatEndedIsNotLostByAnOldWordOfIt() {
        assigned.assign(split(), READER);
        assigned.snapshot(1);
        assigned.received(READER, 1);
        // The reader ends. In another one's checkpoint is what it knew before the parallelism
        // changed.
        AssignedSplits restored = restored(assigned, 2);
        assertThat(restored.takeAllLost(Map.of(READER, 0L))).isEmpty();
    }

    @Test
    void aSplitOfAReaderThatFailedIsKeptUntilItIsConfirmedAgain() {
        assigned.assign(split(), READER);
        assigned.received(READER, 1);
        assigned.takeBack(READER, List.of());
        assertThat(restored(assigned, 1).isEmpty()).isFalse();
        assigned.received(READER, 1);
        assertThat(restored(assigned, 2).isEmpty()).isTrue();
    }

    /** Flink's enumerator may answer a request of the reader that failed. */
    @Test
    void aSplitOnItsWayToTheReaderThatCameAfterAFailureIsNotLost() {
        assigned.assign(split(), READER);
        assigned.takeBack(READER, List.of());
        assigned.assign(split(), READER);
        assertThat(assigned.takeLost(READER, 0)).hasSize(1);
        assertThat(restored(assigned, 1).isEmpty()).isFalse();
    }

    @Test
    void numbersRiseAcrossRestarts() {
        assigned.assign(split(), READER);
        assigned.received(READER, 1);
        FileSourceSplit next = restored(assigned, 1).assign(split(), READER);
        assertThat(NumberedSplit.numberOf(next)).isEqualTo(2);
    }

    private static AssignedSplits restored(AssignedSplits from, long checkpointId) {
        AssignedSplits restored = new AssignedSplits();
        assertThat(restored.restore(from.snapshot(checkpointId))).isEmpty();
        return restored;
    }

    private static FileSourceSplit split() {
        return new FileSourceSplit("1", new Path("/a"), 0, 1, 0, 1);
    }
}
