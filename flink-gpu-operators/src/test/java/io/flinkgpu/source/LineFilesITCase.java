package io.flinkgpu.source;

import io.flinkgpu.FailsOnce;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Lines;
import io.flinkgpu.api.MissingFile;
import io.flinkgpu.api.RecordLimits;
import io.flinkgpu.testkit.Clusters;
import io.flinkgpu.testkit.FailingJobs;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Files in a job: every line once, whatever fails and whatever comes later.
 *
 * <p>Covers: LineFiles, ConfirmingEnumerator.
 */
@Timeout(120)
class LineFilesITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = Clusters.ofFourSlots();

    private static final long SEED = 42;
    private static final int FILES = 48;

    /** A third of all chunks are more. */
    private static final int LATEST_FAILURE = 80;

    @TempDir private java.nio.file.Path directory;
    private final Map<String, byte[]> files = new TreeMap<>();

    @BeforeEach
    void writeFiles() throws IOException {
        FailsOnce.FAILED.set(false);
        Random random = new Random(SEED);
        for (int i = 0; i < FILES; i++) {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            for (int part = 0; part < random.nextInt(6); part++) {
                file.writeBytes(RandomLines.file(random));
            }
            put(String.format("f%02d.log", i), file.toByteArray());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = RuntimeExecutionMode.class,
            names = {"STREAMING", "BATCH"})
    void readsDirectoriesInParallel(RuntimeExecutionMode mode) throws Exception {
        StreamExecutionEnvironment env = environment(new Configuration(), 4);
        env.setRuntimeMode(mode);
        assertIsAllOf(collect(env, lines().chunks()));
    }

    @Test
    void readsOtherFileSystems() throws Exception {
        Path other = OtherFileSystem.path(directory);
        LineFiles lines = LineFiles.ofGlob(other + "/*.log").splitBytes(1000).chunkBytes(100);
        assertIsAllOf(collect(environment(new Configuration(), 2), lines.chunks()));
    }

    @Test
    void oneReaderReadsInOrder() throws Exception {
        List<LineChunk> chunks =
                collect(environment(new Configuration(), 1), lines().terminateLastLines().chunks());
        assertThat(chunks)
                .isSortedAccordingTo(
                        Comparator.comparing(LineChunk::file)
                                .thenComparingLong(LineChunk::offsetBytes))
                .allMatch(LineChunk::isTerminated);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rangesTellWhetherLastLinesAreTerminated(boolean terminates) throws Exception {
        LineFiles files = terminates ? lines().terminateLastLines() : lines();
        assertThat(collect(environment(new Configuration(), 1), files.ranges()))
                .isNotEmpty()
                .allMatch(range -> range.terminatesLastLine() == terminates);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "3, false", "3, true"})
    void chunksAreReadOnceAcrossAFailure(int parallelism, boolean unaligned) throws Exception {
        StreamExecutionEnvironment env = environment(failing(unaligned), parallelism);
        DataStream<LineChunk> chunks =
                env.fromSource(lines().chunks(), WatermarkStrategy.noWatermarks(), "chunks")
                        .map(new FailsOnce<>(15, LATEST_FAILURE))
                        .returns(LineChunk.class);
        assertIsAllOf(collect(chunks));
        assertThat(FailsOnce.FAILED).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void rangesAreGivenOnceAcrossAFailure(int parallelism) throws Exception {
        StreamExecutionEnvironment env = environment(failing(false), parallelism);
        Source<LineRange, ?, ?> ranges = lines().chunkBytes(37).ranges();
        DataStream<LineRange> stream =
                env.fromSource(ranges, WatermarkStrategy.noWatermarks(), "ranges")
                        .map(new FailsOnce<>(15, LATEST_FAILURE))
                        .returns(LineRange.class);
        List<LineRange> given = collect(stream);
        assertThat(FailsOnce.FAILED).isTrue();
        given.sort(Comparator.comparing(LineRange::file).thenComparingLong(LineRange::offsetBytes));
        Map<String, Long> ends = new TreeMap<>();
        for (LineRange range : given) {
            assertThat(range.offsetBytes())
                    .as("%s", range)
                    .isEqualTo(ends.getOrDefault(range.file(), 0L));
            assertThat(range.lengthBytes()).isBetween(1L, 37L);
            ends.put(range.file(), range.offsetBytes() + range.lengthBytes());
        }
        Map<String, Long> lengths = new TreeMap<>();
        files.forEach((file, bytes) -> lengths.put(path(file).toString(), (long) bytes.length));
        lengths.values().removeIf(length -> length == 0);
        assertThat(ends).isEqualTo(lengths);
    }

    /** Files of several splits come before and after a failure; one is empty when it is first seen. */
    @Test
    void newFilesAreReadOnceAcrossAFailure() throws Exception {
        for (String name : List.copyOf(files.keySet())) {
            byte[] file = files.get(name);
            if (file.length > 0 && file[file.length - 1] != '\n') {
                append(name, "\n");
            }
        }
        StreamExecutionEnvironment env = environment(failing(false), 2);
        Source<LineChunk, ?, ?> source = lines().monitorEvery(Duration.ofMillis(50)).chunks();
        DataStream<LineChunk> stream =
                env.fromSource(source, WatermarkStrategy.noWatermarks(), "chunks")
                        .map(new FailsOnce<>(15, LATEST_FAILURE))
                        .returns(LineChunk.class);
        Files.createFile(directory.resolve("late0.log"));
        List<LineChunk> chunks = new ArrayList<>();
        CloseableIterator<LineChunk> results = stream.executeAndCollect();
        try {
            take(results, chunks);
            for (int i = 0; i < 4; i++) {
                byte[] file = "some line\n".repeat(500 + i).getBytes(StandardCharsets.US_ASCII);
                put("late" + i + ".log", file);
                take(results, chunks);
            }
        } finally {
            results.close();
        }
        assertThat(FailsOnce.FAILED).isTrue();
        assertIsAllOf(chunks);
    }

    /** Lines come in pieces, as loggers write them, and each is read once, whole, across a failure. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, true"})
    void filesThatGrowAreReadOnAcrossAFailure(int parallelism, boolean unaligned) throws Exception {
        StreamExecutionEnvironment env = environment(failing(unaligned), parallelism);
        LineFiles lines =
                LineFiles.ofGlob(directory + "/grows*")
                        .monitorEvery(Duration.ofMillis(5))
                        .chunkBytes(64);
        DataStream<LineChunk> stream =
                env.fromSource(lines.chunks(), WatermarkStrategy.noWatermarks(), "chunks")
                        .map(new FailsOnce<>(15, LATEST_FAILURE))
                        .returns(LineChunk.class);
        files.clear();
        List<LineChunk> chunks = new ArrayList<>();
        CloseableIterator<LineChunk> results = stream.executeAndCollect();
        Random random = new Random(SEED);
        try {
            for (int round = 0; round < 40; round++) {
                for (String name : List.of("grows1", "grows2")) {
                    StringBuilder piece = new StringBuilder();
                    for (int line = random.nextInt(20); line >= 0; line--) {
                        piece.append("card 4111 1111 1111 1111 of ").append(round).append('\n');
                    }
                    int half = random.nextInt(piece.length());
                    append(name, piece.substring(0, half));
                    if (random.nextBoolean()) {
                        Thread.sleep(7);
                    }
                    append(name, piece.substring(half));
                }
                if (round % 8 == 7) {
                    take(results, chunks);
                }
            }
        } finally {
            results.close();
        }
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(chunks).allMatch(LineChunk::isTerminated);
        assertIsAllOf(chunks);
    }

    /** Records come in pieces, and each is read once and whole, across a failure. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, true"})
    void recordsOfFilesThatGrowAreReadOnceAcrossAFailure(int parallelism, boolean unaligned)
            throws Exception {
        StreamExecutionEnvironment env = environment(failing(unaligned), parallelism);
        LineFiles records =
                LineFiles.ofGlob(directory + "/grows*")
                        .monitorEvery(Duration.ofMillis(5))
                        .startOfRecord(
                                "at ", RecordLimits.DEFAULT.withMaxWait(Duration.ofMillis(500)));
        DataStream<LineChunk> stream =
                env.fromSource(records.chunks(), WatermarkStrategy.noWatermarks(), "records")
                        .map(new FailsOnce<>(15, LATEST_FAILURE))
                        .returns(LineChunk.class);
        files.clear();
        List<LineChunk> chunks = new ArrayList<>();
        CloseableIterator<LineChunk> results = stream.executeAndCollect();
        Random random = new Random(SEED);
        try {
            for (int round = 0; round < 40; round++) {
                for (String name : List.of("grows1", "grows2")) {
                    StringBuilder piece = new StringBuilder();
                    for (int record = random.nextInt(8); record >= 0; record--) {
                        piece.append("at ").append(round).append('\n');
                        piece.append("  and more\n".repeat(random.nextInt(4)));
                    }
                    int half = random.nextInt(piece.length());
                    append(name, piece.substring(0, half));
                    if (random.nextBoolean()) {
                        Thread.sleep(7);
                    }
                    append(name, piece.substring(half));
                }
            }
            take(results, chunks);
        } finally {
            results.close();
        }
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(chunks)
                .allMatch(
                        chunk ->
                                new String(chunk.bytes(), StandardCharsets.US_ASCII)
                                        .matches("at [0-9]+\n(  and more\n)*"));
        assertIsAllOf(chunks);
    }

    /** As log rotation does, before the reader has come to it. */
    @ParameterizedTest
    @EnumSource(MissingFile.class)
    void aListedFileGoesWhileTheJobRuns(MissingFile missing) throws Exception {
        files.clear();
        put("rotated1", "line\n".repeat(5000).getBytes(StandardCharsets.US_ASCII));
        replace("rotated2", "gone\n");
        String gone = directory.resolve("rotated2").toString();
        LineFiles lines =
                LineFiles.ofGlob(directory + "/rotated*").chunkBytes(100).onMissingFile(missing);
        DataStream<LineChunk> stream =
                environment(new Configuration(), 1)
                        .fromSource(lines.chunks(), WatermarkStrategy.noWatermarks(), "chunks")
                        .map(
                                chunk -> {
                                    Files.deleteIfExists(java.nio.file.Path.of(gone));
                                    return chunk;
                                })
                        .returns(LineChunk.class);
        if (missing == MissingFile.SKIP) {
            assertIsAllOf(collect(stream));
        } else {
            assertThat(FailingJobs.failure(() -> stream))
                    .hasStackTraceContaining("an input file is gone since it was listed: file=")
                    .hasStackTraceContaining(", or use LineFiles.onMissingFile(MissingFile.SKIP)");
        }
    }

    @Test
    void aFileThatIsCutAndWrittenAnewIsReadAnew() throws Exception {
        LineFiles lines =
                LineFiles.ofGlob(directory + "/rotates*").monitorEvery(Duration.ofMillis(10));
        DataStream<LineChunk> stream =
                environment(new Configuration(), 1)
                        .fromSource(lines.chunks(), WatermarkStrategy.noWatermarks(), "chunks");
        CloseableIterator<LineChunk> results = stream.executeAndCollect();
        try {
            replace("rotates", "one\ntwo\nthr");
            assertThat(results.next().bytes()).asString().isEqualTo("one\ntwo\n");
            replace("rotates", "four\n");
            assertThat(results.next().bytes()).asString().isEqualTo("four\n");
        } finally {
            results.close();
        }
    }

    @Test
    void readsCompressedFilesInChunksOnly() throws Exception {
        files.clear();
        java.nio.file.Path file = directory.resolve("a.gz");
        byte[] text = "line\n".repeat(3000).getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text);
        }
        files.put("a.gz", text);
        LineFiles lines = LineFiles.of(path("a.gz")).splitBytes(10).chunkBytes(1000);
        assertIsAllOf(collect(environment(new Configuration(), 2), lines.chunks()));
        assertThat(
                        FailingJobs.failure(
                                () ->
                                        environment(new Configuration(), 2)
                                                .fromSource(
                                                        lines.ranges(),
                                                        WatermarkStrategy.noWatermarks(),
                                                        "ranges")))
                .hasStackTraceContaining(
                        "a compressed file cannot be read in ranges: file="
                                + path("a.gz")
                                + "; read it with chunks(), or decompress it first");
    }

    private LineFiles lines() {
        return LineFiles.of(new Path(directory.toUri())).chunkBytes(100).splitBytes(1000);
    }

    /** Takes chunks until there are as many bytes as the files have. */
    private void take(CloseableIterator<LineChunk> results, List<LineChunk> target) {
        long bytes = target.stream().mapToLong(chunk -> chunk.bytes().length).sum();
        long wanted = files.values().stream().mapToLong(file -> file.length).sum();
        while (bytes < wanted) {
            LineChunk chunk = results.next();
            target.add(chunk);
            bytes += chunk.bytes().length;
        }
    }

    private void assertIsAllOf(List<LineChunk> chunks) {
        Map<String, TreeMap<Long, byte[]>> byOffset = new TreeMap<>();
        for (LineChunk chunk : chunks) {
            byte[] before =
                    byOffset.computeIfAbsent(chunk.file(), file -> new TreeMap<>())
                            .put(chunk.offsetBytes(), chunk.bytes());
            assertThat(before).as("seed=%d, %s comes twice", SEED, chunk).isNull();
        }
        Map<String, String> read = new TreeMap<>();
        byOffset.forEach((file, parts) -> read.put(new Path(file).getName(), join(parts.values())));
        Map<String, String> written = new TreeMap<>();
        files.forEach((file, bytes) -> written.put(file, join(List.of(bytes))));
        written.values().removeIf(String::isEmpty);
        assertThat(read.equals(written)).as("seed=%d, all bytes in place", SEED).isTrue();
    }

    private static String join(Iterable<byte[]> parts) {
        StringBuilder all = new StringBuilder();
        parts.forEach(part -> all.append(new String(part, StandardCharsets.ISO_8859_1)));
        return all.toString();
    }

    private static <T extends Lines> List<T> collect(
            StreamExecutionEnvironment env, Source<T, ?, ?> source) throws Exception {
        return collect(env.fromSource(source, WatermarkStrategy.noWatermarks(), "lines"));
    }

    private static <T extends Lines> List<T> collect(DataStream<T> stream) throws Exception {
        List<T> all = new ArrayList<>();
        CloseableIterator<T> results = stream.executeAndCollect();
        try {
            results.forEachRemaining(all::add);
        } finally {
            results.close();
        }
        return all;
    }

    static StreamExecutionEnvironment environment(Configuration config, int parallelism) {
        config.set(PipelineOptions.GENERIC_TYPES, false);
        return StreamExecutionEnvironment.getExecutionEnvironment(config)
                .setParallelism(parallelism);
    }

    static Configuration failing(boolean unaligned) {
        return FailsOnce.restarting(Duration.ofMillis(50), unaligned);
    }

    private void put(String name, byte[] bytes) throws IOException {
        files.put(name, bytes);
        replace(name, new String(bytes, StandardCharsets.UTF_8));
    }

    private void append(String name, String text) throws IOException {
        byte[] more = text.getBytes(StandardCharsets.US_ASCII);
        Files.write(
                directory.resolve(name),
                more,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(files.getOrDefault(name, new byte[0]));
        all.writeBytes(more);
        files.put(name, all.toByteArray());
    }

    /** Puts a file there by renaming it, as a file that is monitored should be. */
    private void replace(String name, String text) throws IOException {
        java.nio.file.Path hidden = directory.resolve("." + name);
        Files.writeString(hidden, text);
        Files.move(hidden, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private Path path(String name) {
        return new Path(directory.resolve(name).toUri());
    }
}
