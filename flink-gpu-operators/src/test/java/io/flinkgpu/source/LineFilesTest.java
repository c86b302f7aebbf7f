package io.flinkgpu.source;

import org.apache.flink.api.connector.source.DynamicFilteringInfo;
import org.apache.flink.api.connector.source.DynamicParallelismInference;
import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a source of files refuses before a job runs, and with which sentence.
 *
 * <p>Covers: LineFiles.
 */
class LineFilesTest {

    @TempDir private java.nio.file.Path directory;

    @Test
    void sizesThatCannotBe() {
        assertThatThrownBy(() -> lines().splitBytes(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a split has at least a byte: splitBytes=0");
        for (int bytes : new int[] {0, (1 << 28) + 1}) {
            assertThatThrownBy(() -> lines().chunkBytes(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a chunk has 1 byte to 256 MiB: chunkBytes=" + bytes);
        }
    }

    @Test
    void intervalsThatCannotBe() {
        for (Duration interval :
                List.of(
                        Duration.ZERO,
                        Duration.ofNanos(999_999),
                        Duration.ofSeconds(-1),
                        Duration.ofDays(36_500).plusNanos(1),
                        Duration.ofSeconds(Long.MIN_VALUE),
                        Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> lines().monitorEvery(interval))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "files are looked for at most every millisecond, and every 36,500 days at"
                                    + " least: interval="
                                    + interval
                                    + "; use for example Duration.ofSeconds(10)");
        }
        assertThat(lines().monitorEvery(Duration.ofMillis(1))).isNotNull();
        assertThat(lines().monitorEvery(Duration.ofDays(36_500))).isNotNull();
    }

    @Test
    void filesThatCannotBeListedForAParallelism() {
        Path gone = new Path(directory.resolve("gone.log").toUri());
        DynamicParallelismInference source =
                (DynamicParallelismInference) LineFiles.of(gone).chunks();
        assertThatThrownBy(() -> source.inferParallelism(new UpToFour()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith(
                        "cannot list the files of a source: inputs=["
                                + gone
                                + "]; make them readable where the JobManager runs: ");
    }

    private LineFiles lines() {
        return LineFiles.of(new Path(directory.toUri()));
    }

    private static final class UpToFour implements DynamicParallelismInference.Context {

        @Override
        public Optional<DynamicFilteringInfo> getDynamicFilteringInfo() {
            return Optional.empty();
        }

        @Override
        public int getParallelismInferenceUpperBound() {
            return 4;
        }

        @Override
        public long getDataVolumePerTask() {
            return 1;
        }
    }
}
