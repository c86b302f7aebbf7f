package io.flinkgpu.source;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.Savepoints;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Savepoints of earlier commits, taken while files were read, which are resources of this test, restore: with
 * another parallelism the lines that were not read yet are read, and no others.
 *
 * <p>Covers: LineFiles.
 */
@Timeout(120)
class SavepointOfFilesITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final int FILES = 4;
    private static final int LINES = 200;

    /** Once so many lines were read, all readers are in the middle of a split. */
    private static final int READ = 250;

    private static final Queue<String> READ_LINES = new ConcurrentLinkedQueue<>();

    @TempDir Path folder;

    @BeforeEach
    void forgetLines() {
        READ_LINES.clear();
    }

    @ParameterizedTest
    @CsvSource({"7c61f22, 1", "7c61f22, 3", "aa58182, 1", "aa58182, 4"})
    void goesOn(String commit, int parallelism) throws Exception {
        Path savepoint = Files.createDirectory(folder.resolve("savepoint"));
        Files.write(savepoint.resolve("_metadata"), resource(commit, "savepoint"));
        start(files(folder), parallelism, 0, savepoint).getJobExecutionResult().get();
        List<String> all = new ArrayList<>(READ_LINES);
        String before = new String(resource(commit, "lines"), StandardCharsets.US_ASCII);
        assertThat(before.lines().count()).isBetween((long) READ, FILES * LINES - 1L);
        before.lines().forEach(all::add);
        Collections.sort(all);
        assertThat(all)
                .isEqualTo(
                        IntStream.range(0, FILES)
                                .boxed()
                                .flatMap(
                                        file ->
                                                IntStream.range(0, LINES)
                                                        .mapToObj(i -> line(file, i)))
                                .toList());
    }

    /** Writes the resources into a folder. To be run at the commit that they are of. */
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        Path temporary = Files.createTempDirectory("files");
        JobClient job = start(files(temporary), 2, 50, null);
        while (READ_LINES.size() < READ) {
            Thread.sleep(5);
        }
        Path savepoint = Savepoints.stop(job, target, SavepointFormatType.CANONICAL);
        Files.move(savepoint.resolve("_metadata"), target.resolve("files.savepoint"));
        Files.delete(savepoint);
        Files.write(target.resolve("files.lines"), READ_LINES);
    }

    private static byte[] resource(String commit, String suffix) throws Exception {
        String name = "/io/flinkgpu/source/" + commit + "/files." + suffix;
        try (InputStream stream = SavepointOfFilesITCase.class.getResourceAsStream(name)) {
            return stream.readAllBytes();
        }
    }

    private static LineFiles files(Path folder) throws Exception {
        Path files = Files.createDirectory(folder.resolve("files"));
        for (int file = 0; file < FILES; file++) {
            int number = file;
            Path path = files.resolve("f" + file + ".log");
            Files.write(path, IntStream.range(0, LINES).mapToObj(i -> line(number, i)).toList());
            Files.setLastModifiedTime(path, FileTime.fromMillis(1_000_000_000_000L));
        }
        return LineFiles.ofGlob(OtherFileSystem.fixedPath(files) + "/*.log")
                .splitBytes(1500)
                .chunkBytes(150);
    }

    private static String line(int file, int number) {
        return "file %d line %03d".formatted(file, number);
    }

    private static JobClient start(
            LineFiles files, int parallelism, int millisPerChunk, Path savepoint) throws Exception {
        Configuration config = new Configuration();
        config.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
        config.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(parallelism);
        env.setMaxParallelism(16);
        env.fromSource(files.chunks(), WatermarkStrategy.noWatermarks(), "files")
                .uid("files")
                .map(new Remembers(millisPerChunk))
                .returns(LineChunk.class)
                .uid("remembers")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        return env.executeAsync();
    }

    /** Puts lines into a list of this process. No failure makes it see one twice. */
    private record Remembers(int millisPerChunk) implements MapFunction<LineChunk, LineChunk> {

        @Override
        public LineChunk map(LineChunk chunk) throws InterruptedException {
            Thread.sleep(millisPerChunk);
            new String(chunk.bytes(), StandardCharsets.US_ASCII).lines().forEach(READ_LINES::add);
            return chunk;
        }
    }
}
