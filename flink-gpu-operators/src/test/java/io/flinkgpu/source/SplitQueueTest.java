package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How files are cut, and in which order the pieces go out.
 *
 * <p>Covers: SplitQueue.
 */
class SplitQueueTest {

    private static final long MIB = 1 << 20;

    @Test
    void piecesCoverEachFileInOrder() {
        List<FileSourceSplit> splits =
                take(queue(3, 4, 10, file(1, "b", 25), file(2, "a", 7)), Integer.MAX_VALUE);
        assertThat(splits).isNotEmpty().extracting(FileSourceSplit::splitId).isSorted();
        for (String name : List.of("b", "a")) {
            long end = 0;
            for (FileSourceSplit split : splits) {
                if (split.path().getName().equals(name)) {
                    assertThat(split.offset()).isEqualTo(end);
                    end += split.length();
                }
            }
            assertThat(end).isEqualTo(name.equals("b") ? 25 : 7);
        }
        assertThat(splits.get(splits.size() - 1).path().getName()).isEqualTo("a");
    }

    /** One file of 690 MB, two readers: each always takes the next piece, or one it took ahead. */
    @Test
    void oneLargeFileIsSharedByAllReaders() {
        long bytes = 690_000_000;
        for (int readers : new int[] {1, 2, 3, 16}) {
            SplitQueue queue = queue(readers, 4 * MIB, 64 * MIB, file(0, "f", bytes));
            long[] busyUntil = new long[readers];
            List<List<FileSourceSplit>> ahead = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                ahead.add(take(queue, 2));
            }
            while (ahead.stream().anyMatch(splits -> !splits.isEmpty())) {
                int next = -1;
                for (int i = 0; i < readers; i++) {
                    if (!ahead.get(i).isEmpty() && (next < 0 || busyUntil[i] < busyUntil[next])) {
                        next = i;
                    }
                }
                busyUntil[next] += ahead.get(next).remove(0).length();
                ahead.get(next).addAll(take(queue, 1));
            }
            long last = 0;
            for (long end : busyUntil) {
                last = Math.max(last, end);
            }
            assertThat(last - bytes / readers).as("readers=%d", readers).isLessThan(12 * MIB);
        }
    }

    @Test
    void piecesHaveAtLeastTheLeastSizeAndAtMostTheGreatest() {
        List<FileSourceSplit> splits =
                take(queue(2, 4 * MIB, 64 * MIB, file(0, "f", 900 * MIB + 1)), 1000);
        assertThat(splits.get(0).length()).isEqualTo(64 * MIB);
        assertThat(splits.subList(0, splits.size() - 1))
                .allMatch(split -> split.length() >= 4 * MIB && split.length() <= 64 * MIB);
    }

    @Test
    void compressedFilesAreNotCut() {
        assertThat(take(queue(2, 1, 10, file(0, "f.gz", 100), file(1, "f.bz2", 100)), 100))
                .extracting(FileSourceSplit::length)
                .containsExactly(100L, 100L);
    }

    @Test
    void whatComesBackIsNotCutAgainAndGoesOutFirst() {
        SplitQueue queue = queue(1, 10, 10, file(0, "f", 30));
        List<FileSourceSplit> taken = take(queue, 2);
        queue.addSplits(List.of(taken.get(1)));
        assertThat(take(queue, 1)).containsExactly(taken.get(1));
        SplitQueue restored = new SplitQueue(taken, 1, 1, 1);
        assertThat(take(restored, 100)).isEqualTo(taken);
    }

    /** After a restore files are listed anew, and numbered from the start. */
    @Test
    void filesOfTwoListingsWithEqualNumbersAreAllThere() {
        SplitQueue queue = queue(1, 10, 10, file(0, "a", 30));
        queue.addSplits(List.of(file(0, "b", 30)));
        assertThat(take(queue, 100)).hasSize(6);
    }

    @Test
    void filesGoOutInTheOrderOfTheirListings() {
        SplitQueue queue = queue(1, 10, 10, file(7, "z", 10));
        queue.addSplits(
                List.of(
                        new FileSourceSplit(
                                SplitQueue.fileId(2000, 0), new Path("/a"), 0, 10, 0, 10)));
        assertThat(take(queue, 2))
                .extracting(split -> split.path().getName())
                .containsExactly("z", "a");
    }

    private static SplitQueue queue(
            int readers, long minBytes, long maxBytes, FileSourceSplit... files) {
        return new SplitQueue(List.of(files), readers, minBytes, maxBytes);
    }

    private static FileSourceSplit file(int place, String name, long bytes) {
        return new FileSourceSplit(
                SplitQueue.fileId(1000, place), new Path("/" + name), 0, bytes, 0, bytes);
    }

    private static List<FileSourceSplit> take(SplitQueue queue, int most) {
        List<FileSourceSplit> taken = new ArrayList<>();
        while (taken.size() < most) {
            FileSourceSplit next = queue.getNext(null).orElse(null);
            if (next == null) {
                break;
            }
            taken.add(next);
        }
        return taken;
    }
}
