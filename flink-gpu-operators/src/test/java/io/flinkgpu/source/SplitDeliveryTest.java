package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every split is read exactly once, whatever overtakes it on its way to its reader, and whenever tasks or
 * the whole job fail.
 *
 * <p>Covers: SplitQueue.
 */
class SplitDeliveryTest {

    private static final long SEED = Long.getLong("seed", 20_261_121);
    private static final int RUNS = 2_000;

    @Test
    void everySplitIsReadOnce() {
        int runsWithFailures = 0;
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(SEED + run);
            List<FileSourceSplit> files = files(1 + random.nextInt(25));
            int parallelism = 1 + random.nextInt(4);
            FlinkInSmall flink =
                    new FlinkInSmall(files, parallelism, 1 + random.nextInt(6), random);
            int failures = random.nextInt(5);
            for (int failure = 0; failure < failures; failure++) {
                steps(flink, random.nextInt(300));
                if (random.nextBoolean()) {
                    flink.restartReader(random.nextInt(flink.readers.size()));
                } else {
                    boolean rescale = random.nextBoolean();
                    flink.restart(rescale ? 1 + random.nextInt(4) : flink.readers.size());
                }
            }
            runsWithFailures += failures > 0 ? 1 : 0;
            steps(flink, 3_000);
            List<String> read = new ArrayList<>();
            flink.readers.forEach(reader -> read.addAll(reader.read()));
            assertThat(read)
                    .as("seed=%d, run=%d", SEED, run)
                    .containsExactlyInAnyOrderElementsOf(
                            files.stream().map(file -> file.path().getName()).toList());
        }
        assertThat(runsWithFailures).isGreaterThan(RUNS / 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "10, 10, 10", "1000, 64, 64", "1000, 64, 22"})
    void aReaderIsGivenSmallSplitsUntilTheyAreEnough(long enoughBytes, int first, int second) {
        List<FileSourceSplit> files = files(second == first ? 200 : first + second);
        FlinkInSmall flink = new FlinkInSmall(files, 2, enoughBytes, new Random(SEED));
        flink.request(0);
        assertThat(flink.readers).extracting(ReaderInSmall::mails).containsExactly(first, 0);
        flink.request(1);
        assertThat(flink.readers).extracting(ReaderInSmall::mails).containsExactly(first, second);
    }

    /** A reader would have chunks of them all in memory. */
    @Test
    void aReaderIsGivenOneCompressedFileAtATime() {
        List<FileSourceSplit> files = files(10);
        for (int i : new int[] {3, 4, 9}) {
            files.set(i, file(i, "file #" + i + ".gz"));
        }
        FlinkInSmall flink = new FlinkInSmall(files, 4, 1000, new Random(SEED));
        for (int reader = 0; reader < 4; reader++) {
            flink.request(reader);
        }
        assertThat(flink.readers).extracting(ReaderInSmall::mails).containsExactly(4, 1, 5, 0);
    }

    private static void steps(FlinkInSmall flink, int steps) {
        for (int step = 0; step < steps; step++) {
            flink.step();
        }
    }

    /** Of one byte, so that each is one split. */
    private static List<FileSourceSplit> files(int count) {
        List<FileSourceSplit> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(file(i, "file #" + i));
        }
        return files;
    }

    private static FileSourceSplit file(int place, String name) {
        return new FileSourceSplit(SplitQueue.fileId(7, place), new Path("/" + name), 0, 1, 0, 1);
    }
}
