package io.flinkgpu.source;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.file.src.FileSourceSplit;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Covers: ConfirmingReader.
 */
class ConfirmingReaderTest {

    /**
     * What a reader was restored with, of a subtask that has not received anything, another may say of itself
     * when it starts. When the parallelism changes once more, one reader gets both.
     */
    @Test
    void theSameWordOfTwoReadersIsOne() {
        ReaderInSmall first = started(0, null);
        ReaderInSmall second = started(1, first.snapshot(1));
        ReaderInSmall another = started(0, null);
        List<FileSourceSplit> both = new ArrayList<>(second.snapshot(2).splits());
        both.addAll(another.snapshot(2).splits());
        assertThat(both).extracting(FileSourceSplit::splitId).containsOnlyOnce("#b1#0");
        assertThat(both).extracting(FileSourceSplit::splitId).contains("#b0#0");
        ReaderInSmall merged = started(0, new ReaderInSmall.State(both, List.of()));
        Outputs outputs = new Outputs(both);
        assertThatCode(() -> merged.poll(outputs)).doesNotThrowAnyException();
        assertThat(outputs.splits).isEmpty();
    }

    private static ReaderInSmall started(int subtask, ReaderInSmall.State state) {
        ReaderInSmall reader =
                new ReaderInSmall(subtask, state, new Random(1), (sender, event) -> {});
        reader.start();
        return reader;
    }

    /** An output for each split that Flink's operator has restored, to be released once, as Flink demands. */
    private static final class Outputs implements ReaderOutput<String> {

        private final Set<String> splits = new TreeSet<>();

        Outputs(List<FileSourceSplit> restored) {
            restored.forEach(split -> splits.add(split.splitId()));
        }

        @Override
        public void releaseOutputForSplit(String splitId) {
            assertThat(splits.remove(splitId)).as(splitId).isTrue();
        }

        @Override
        public SourceOutput<String> createOutputForSplit(String splitId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void collect(String record) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void collect(String record, long timestamp) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void emitWatermark(Watermark watermark) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void markIdle() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void markActive() {
            throw new UnsupportedOperationException();
        }
    }
}
