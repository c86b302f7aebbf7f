package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Splits in checkpoints of this release and of those before.
 *
 * <p>Covers: NumberedSplit.
 */
class NumberedSplitTest {

    private static final String ID = "00000000000007-000000000+0000000000000000000 /a #1.log";

    /** As commit 3583639 wrote them. */
    @ParameterizedTest
    @CsvSource({
        "#3#7, 3, 7, ",
        "#-1#12, -1, 12, ",
        "#3#7#" + ID + ", 3, 7, " + ID,
    })
    void readsWhatWasWrittenBeforeThereWereVersions(
            String id, int subtask, long number, String inner) {
        NumberedSplit read = NumberedSplit.parse(split(id));
        assertThat(read.subtask()).isEqualTo(subtask);
        assertThat(read.number()).isEqualTo(number);
        assertThat(read.split() == null ? null : read.split().splitId()).isEqualTo(inner);
    }

    @Test
    void readsASplitThatAReaderWasSentBeforeThereWereVersions() {
        FileSourceSplit sent = split(ID + "#41");
        assertThat(NumberedSplit.numberOf(sent)).isEqualTo(41);
        assertThat(NumberedSplit.unnumbered(sent).splitId()).isEqualTo(ID);
    }

    @Test
    void writesItsVersion() {
        NumberedSplit split = new NumberedSplit(3, 7, split(ID));
        assertThat(split.asMarker().splitId()).isEqualTo("#b3#7");
        assertThat(split.asAssigned().splitId()).isEqualTo("#b3#7#" + ID);
        assertThat(split.asSent().splitId()).isEqualTo(ID + "#b7");
        assertThat(NumberedSplit.parse(split.asAssigned()).split().splitId()).isEqualTo(ID);
        assertThat(NumberedSplit.numberOf(split.asSent())).isEqualTo(7);
        assertThat(NumberedSplit.unnumbered(split.asSent()).splitId()).isEqualTo(ID);
    }

    @Test
    void refusesAVersionThatIsNotKnown() {
        String message =
                "a split in a checkpoint is of a version that this release does not know:"
                        + " version='z', known='b' and those without a version, split='%s'; restore"
                        + " it with the release that wrote it, or a later one";
        assertThatThrownBy(() -> NumberedSplit.parse(split("#z3#7")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message, "#z3#7");
        ReaderInSmall.State state = new ReaderInSmall.State(List.of(split(ID + "#z7")), List.of());
        assertThatThrownBy(() -> new ReaderInSmall(0, state, new Random(1), (r, event) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message, ID + "#z7");
    }

    /** A source of before was stopped while splits were on their way: they are given out again. */
    @Test
    void givesOutWhatACheckpointOfBeforeHasOnItsWay() {
        AssignedSplits restored = new AssignedSplits();
        FileSourceSplit waiting = split(ID);
        assertThat(
                        restored.restore(
                                List.of(
                                        split("#-1#9"),
                                        split("#0#8#" + ID),
                                        split("#1#9#" + ID),
                                        waiting)))
                .containsExactly(waiting);
        assertThat(restored.takeAllLost(Map.of(0, 8L, 1, 6L)))
                .extracting(FileSourceSplit::splitId)
                .containsExactly(ID);
        FileSourceSplit next = restored.assign(split(ID), 0);
        assertThat(NumberedSplit.numberOf(next)).isEqualTo(10);
    }

    private static FileSourceSplit split(String id) {
        return new FileSourceSplit(id, new Path("/a"), 0, 1, 0, 1);
    }
}
