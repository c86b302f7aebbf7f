package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.MissingFile;
import io.flinkgpu.api.RecordLimits;
import io.flinkgpu.files.FileReports;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Records of several lines: whole or not at all, whatever the steps of reading, the file's growth and the failures.
 *
 * <p>Covers: RecordFormat, RecordBytes, source.RecordReader.
 */
class RecordFormatTest {

    private static final long SEED = Long.getLong("seed", 20_261_127);
    private static final Configuration CONFIG = new Configuration();
    private static final RecordLimits LARGE =
            new RecordLimits(64 << 20, 1 << 20, Duration.ofSeconds(10), LongLine.FAIL);

    @TempDir java.nio.file.Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"file", "other", "gz"})
    void everyRecordOnceAndWhole(String scheme) throws IOException {
        for (long seed = SEED; seed < SEED + 100; seed++) {
            Random random = new Random(seed);
            byte[] file = file(random);
            Path path = path(scheme, "f" + seed, file);
            RecordFormat format = format(1 + random.nextInt(5000), LARGE, false);
            List<LineChunk> records = read(format.createReader(CONFIG, split(path)));
            assertThat(texts(records)).as("seed=%d", seed).isEqualTo(expected(file));
            long offset = 0;
            for (LineChunk record : records) {
                assertThat(record.isRecord()).isTrue();
                assertThat(record.offsetBytes()).as("seed=%d", seed).isEqualTo(offset);
                offset += record.lengthBytes();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "gz"})
    void everyRecordOnceWhenTheReaderIsRestoredAfterAny(String scheme) throws IOException {
        for (long seed = SEED; seed < SEED + 30; seed++) {
            Random random = new Random(seed);
            byte[] file = file(random);
            Path path = path(scheme, "f" + seed, file);
            RecordFormat format = format(1 + random.nextInt(5000), LARGE, false);
            FileSourceSplit split = split(path);
            FileSourceSplit resumed = split;
            List<LineChunk> records = new ArrayList<>();
            while (true) {
                try (BulkFormat.Reader<LineChunk> reader = format.restoreReader(CONFIG, resumed)) {
                    RecordAndPosition<LineChunk> next = LineChunkFormatTest.next(reader);
                    if (next == null) {
                        break;
                    }
                    records.add(next.getRecord());
                    resumed =
                            split.updateWithCheckpointedPosition(
                                    new CheckpointedPosition(
                                            next.getOffset(), next.getRecordSkipCount()));
                }
            }
            assertThat(texts(records)).as("seed=%d", seed).isEqualTo(expected(file));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10, 100, > 1|> 2+++++++|> 3, > 1;[RECORD TOO LONG];> 3",
        "10, 100, > 1|> 2|++++++++|++|> 3, > 1;[RECORD TOO LONG];> 3",
        "100, 2, > 1|+|> 2|+|+|> 3, > 1|+;[RECORD TOO LONG];> 3",
        "10, 100, ++++++++++++|+|> 2, [RECORD TOO LONG];> 2",
        "10, 100, > 1|> 2+++++++++, > 1;[RECORD TOO LONG]"
    })
    void recordsOverALimitAreReplacedWhole(int bytes, int lines, String file, String records)
            throws IOException {
        RecordLimits limits = LARGE.withMaxBytes(bytes).withMaxLines(lines);
        Path path = path("file", "f", bytes(file.replace('|', '\n')));
        List<String> expected = new ArrayList<>();
        for (String record : records.split(";")) {
            expected.add(record.replace('|', '\n') + "\n");
        }
        String last = expected.remove(expected.size() - 1);
        expected.add(last.substring(0, last.length() - 1));
        FileReports reports = FileReports.uncounted();
        assertThat(texts(read(limits.onLonger(LongLine.LABEL), path, reports))).isEqualTo(expected);
        assertThat(reports.longLines()).isEqualTo(1);
        expected.removeIf(record -> record.startsWith(RecordLimits.LABEL));
        assertThat(texts(read(limits.onLonger(LongLine.SKIP), path, reports))).isEqualTo(expected);
        assertThatThrownBy(() -> read(limits, path, reports))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "a record is longer than allowed: file=" + path + ", offsetBytes=")
                .hasMessageContaining(
                        ", maxBytes=" + bytes + ", maxLines=" + lines + "; does the pattern match");
    }

    /** Longer than every step of reading, with a limit in the middle of a line and of a step. */
    @ParameterizedTest
    @EnumSource(LongLine.class)
    void largeRecordsAreNotInMemoryAsAWhole(LongLine longer) throws IOException {
        byte[] file = new byte[3_000_000];
        Arrays.fill(file, (byte) 'x');
        for (int at : new int[] {0, 100, 2_999_991}) {
            file[at] = '>';
            file[at + 1] = ' ';
        }
        for (int at : new int[] {99, 300_000, 2_500_000, 2_999_990}) {
            file[at] = '\n';
        }
        Path path = path("file", "large", file);
        RecordLimits limits = LARGE.withMaxBytes(1_000_000).onLonger(longer);
        if (longer == LongLine.FAIL) {
            assertThatThrownBy(() -> read(limits, path, FileReports.uncounted()))
                    .hasMessageContaining("offsetBytes=100,");
            return;
        }
        List<String> records = texts(read(limits, path, FileReports.uncounted()));
        assertThat(records).hasSize(longer == LongLine.LABEL ? 3 : 2);
        assertThat(records.get(0)).hasSize(100);
        assertThat(records.get(records.size() - 1)).isEqualTo("> xxxxxxx");
    }

    @ParameterizedTest
    @CsvSource({
        "> 1|+|, , > 1|+|",
        "> 1|+|, +|> 2|, > 1|+|+|",
        "> 1|+, +|> 2|, > 1|++|",
        "> 1|, > 2|, > 1|",
        "> 1|, >, ''",
        "> 1|+|> 2|, +|, > 1|+|",
        "> 1|+|> 2|, +, > 1|+|",
        "> 1|+|> 2, 2|, > 1|+|"
    })
    void aFileThatGrewIsReadToTheStartOfTheNextRecord(String listed, String more, String records)
            throws IOException {
        Path path = path("file", "g", bytes(listed.replace('|', '\n')));
        FileSourceSplit split = split(path);
        if (more != null) {
            Files.write(
                    directory.resolve("g"),
                    bytes(more.replace('|', '\n')),
                    StandardOpenOption.APPEND);
        }
        FileReports reports = FileReports.uncounted();
        List<LineChunk> read =
                read(format(100, LARGE, false).reporting(reports).createReader(CONFIG, split));
        assertThat(String.join("", texts(read))).isEqualTo(records.replace('|', '\n'));
    }

    /** What was there of a record once stood before the middle of a line of the file's next content. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void aFileThatIsCutWhileItIsReadHasEndedThere(String scheme) throws IOException {
        String start = "> 1\n> 2\n+ password=hun";
        Path path = path(scheme, "c", bytes(start + "ter2\n> 3\n"));
        FileSourceSplit split = split(path);
        path(scheme, "c", bytes(start));
        FilePolicy policy = FilePolicy.DEFAULT.withMissingFile(MissingFile.SKIP);
        FileReports reports = FileReports.uncounted();
        RecordFormat format =
                new RecordFormat(
                        new RecordReader.Options(100, policy, RecordStart.of("> ", LARGE), false));
        try (BulkFormat.Reader<LineChunk> reader =
                format.reporting(reports).createReader(CONFIG, split)) {
            BulkFormat.RecordIterator<LineChunk> batch = reader.readBatch();
            assertThat(batch.next().getRecord().bytes()).isEqualTo(bytes("> 1\n"));
            assertThat(batch.next()).isNull();
            batch.releaseBatch();
            append(directory.resolve("c"), bytes("ter2\n> 3\n> 4\n"));
            assertThat(reader.readBatch()).isNull();
        }
        assertThat(reports.missingFiles()).isEqualTo(1);
    }

    /** The rest of a record was once judged alone. */
    @Test
    void theRestOfARecordAfterTheChunksOfASavepointIsOverTheLimit() throws IOException {
        FileSourceSplit split = split(path("file", "s", bytes("> 1\n+\n> 2\n")));
        RecordFormat format = format(100, LARGE.onLonger(LongLine.LABEL), false);
        for (String[] places : new String[][] {{"0", "> 1\n+\n"}, {"4", "[RECORD TOO LONG]\n"}}) {
            FileSourceSplit resumed =
                    split.updateWithCheckpointedPosition(
                            new CheckpointedPosition(Long.parseLong(places[0]), 0));
            assertThat(texts(read(format.restoreReader(CONFIG, resumed))))
                    .containsExactly(places[1], "> 2\n");
        }
    }

    @Test
    void aLastLineMayGetItsEnd() throws IOException {
        Path path = path("file", "f", bytes("> 1\n> 2\n+"));
        RecordReader.Options options =
                new RecordReader.Options(
                        100,
                        FilePolicy.DEFAULT.withLastLinesTerminated(true),
                        RecordStart.of("> ", LARGE),
                        false);
        assertThat(texts(read(new RecordFormat(options).createReader(CONFIG, split(path)))))
                .containsExactly("> 1\n", "> 2\n+\n");
    }

    /** What a file gets is given out by records, in pieces of any size, through restarts of who lists it. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void aFileThatIsFollowedIsGivenOutByRecords(String scheme) throws IOException {
        for (long seed = SEED; seed < SEED + 60; seed++) {
            Random random = new Random(seed);
            byte[] all = file(random);
            java.nio.file.Path file = directory.resolve("w" + seed);
            Map<Path, Long> known = new HashMap<>();
            FileFollower follower = new FileFollower(RecordStart.of("> ", LARGE), () -> 0);
            List<String> given = new ArrayList<>();
            for (int written = 0; written < all.length; ) {
                int more = 1 + random.nextInt(all.length - written);
                append(file, Arrays.copyOfRange(all, written, written + more));
                written += more;
                given.addAll(texts(look(scheme, file, follower, known, LARGE)));
                List<String> whole = expected(Arrays.copyOf(all, lastLineEnd(all, written)));
                int last = Math.max(0, whole.size() - 1);
                assertThat(given).as("seed=%d", seed).isEqualTo(whole.subList(0, last));
                if (random.nextInt(3) == 0) {
                    follower = new FileFollower(RecordStart.of("> ", LARGE), () -> 0);
                }
            }
        }
    }

    @Test
    void theLastRecordWaitsUntilItsFileStaysAsItIs() throws IOException {
        long[] nanos = {0};
        RecordLimits limits = LARGE.withMaxWait(Duration.ofNanos(10)).onLonger(LongLine.LABEL);
        FileFollower follower = new FileFollower(RecordStart.of("> ", limits), () -> nanos[0]);
        Map<Path, Long> known = new HashMap<>();
        java.nio.file.Path file = directory.resolve("f");
        append(file, bytes("> 1\n+\n"));
        assertThat(look("file", file, follower, known, limits)).isEmpty();
        nanos[0] = 9;
        assertThat(look("file", file, follower, known, limits)).isEmpty();
        append(file, bytes("+"));
        nanos[0] = 30;
        assertThat(look("file", file, follower, known, limits)).isEmpty();
        nanos[0] = 50;
        assertThat(look("file", file, follower, known, limits))
                .as("a line without an end")
                .isEmpty();
        append(file, bytes("\n"));
        assertThat(look("file", file, follower, known, limits)).isEmpty();
        nanos[0] = 60;
        assertThat(texts(look("file", file, follower, known, limits)))
                .containsExactly("> 1\n+\n+\n");
        assertThat(look("file", file, follower, known, limits)).isEmpty();
        append(file, bytes("+ secret\n> 2\n+\n> 3\n"));
        assertThat(texts(look("file", file, follower, known, limits)))
                .containsExactly("[RECORD TOO LONG]\n", "> 2\n+\n");
        look("file", file, follower, known, limits);
        nanos[0] = 80;
        assertThat(texts(look("file", file, follower, known, limits))).containsExactly("> 3\n");
        append(file, bytes("+ secret\n"));
        look("file", file, follower, known, limits);
        nanos[0] = 100;
        assertThat(texts(look("file", file, follower, known, limits)))
                .containsExactly("[RECORD TOO LONG]\n");
    }

    /** It was once taken for seen, and its records waited for a change of the file. */
    @Test
    void aFileThatCannotBeReadForAMomentIsLookedAtAgain() throws IOException {
        FailingPath path = new FailingPath(path("file", "f", bytes("> 1\n> 2\n")));
        FileStatus listed = path.status();
        FileFollower follower = new FileFollower(RecordStart.of("> ", LARGE), () -> 0);
        path.failing = 2;
        assertThat(follower.look(List.of(listed), file -> null)).isEmpty();
        assertThat(path.failing).as("the file was read twice").isZero();
        assertThat(follower.look(List.of(listed), file -> null))
                .extracting(FileFollower.More::end)
                .containsExactly(4L);
    }

    /** The look before the last listing may have seen less of the file than was given out since. */
    @ParameterizedTest
    @CsvSource({
        "> 1|> 2|, 0, > 3|, true",
        "> 1|> 2|, 1, > 3|, true",
        "> 1|> 2|, 0, '', true",
        "> 1|> 2|, 2, > 3|, false",
        "> 1|> 2|, 0, > 1|> 2|> 3|, false",
        "> 1|, 0, >, true",
        "> 1|, 2, >, false",
        "> 1, 0, >, false"
    })
    void aRecordThatWaitedInAFileThatIsReplacedIsLost(
            String before, int looks, String after, boolean isLost) throws IOException {
        long[] nanos = {0};
        RecordLimits limits = LARGE.withMaxWait(Duration.ofNanos(2));
        FileFollower follower = new FileFollower(RecordStart.of("> ", limits), () -> nanos[0]);
        Map<Path, Long> known = new HashMap<>();
        Path path = path("file", "f", bytes(before.replace('|', '\n')));
        java.nio.file.Path file = directory.resolve("f");
        look("file", file, follower, known, limits);
        for (int i = 0; i < looks; i++) {
            nanos[0] += 2 * i;
            look("file", file, follower, known, limits);
        }
        path("file", "f", bytes(after.replace('|', '\n')));
        FileStatus now = path.getFileSystem().getFileStatus(path);
        assertThat(follower.look(List.of(now), known::get))
                .filteredOn(FileFollower.More::losesRecord)
                .hasSize(isLost ? 1 : 0);
        known.putIfAbsent(path, 0L);
        assertThat(follower.look(List.of(now), known::get))
                .noneMatch(FileFollower.More::losesRecord);
    }

    @Test
    void linesThatComeAfterTheirRecordFailTheJob() throws IOException {
        RecordLimits limits = LARGE.withMaxWait(Duration.ZERO);
        FileFollower follower = new FileFollower(RecordStart.of("> ", limits), () -> 0);
        Map<Path, Long> known = new HashMap<>();
        java.nio.file.Path file = directory.resolve("f");
        append(file, bytes("> 1\n"));
        assertThat(look("file", file, follower, known, limits)).isEmpty();
        assertThat(look("file", file, follower, known, limits)).hasSize(1);
        append(file, bytes("+\n> 2\n"));
        assertThatThrownBy(() -> look("file", file, follower, known, limits))
                .hasMessageStartingWith(
                        "lines came after their record, which had waited for them: file=")
                .hasMessageContaining("offsetBytes=4, maxWait=PT0S; allow more time");
    }

    @Test
    void aRecordThatGrowsOverItsLimitDoesNotWait() throws IOException {
        RecordLimits limits = LARGE.withMaxBytes(10).onLonger(LongLine.LABEL);
        FileFollower follower = new FileFollower(RecordStart.of("> ", limits), () -> 0);
        Map<Path, Long> known = new HashMap<>();
        java.nio.file.Path file = directory.resolve("f");
        append(file, bytes("> 1\n"));
        assertThat(look("file", file, follower, known, limits)).isEmpty();
        append(file, bytes("++++++++\n"));
        assertThat(texts(look("file", file, follower, known, limits)))
                .containsExactly("[RECORD TOO LONG]\n");
        append(file, bytes("+\n> 2\n"));
        assertThat(texts(look("file", file, follower, known, limits)))
                .containsExactly("[RECORD TOO LONG]\n");
    }

    /** Reads what is given out of a file. */
    private static List<LineChunk> look(
            String scheme,
            java.nio.file.Path file,
            FileFollower follower,
            Map<Path, Long> known,
            RecordLimits limits)
            throws IOException {
        FileInput input = FileInput.of(LineChunkFormatTest.path(scheme, file));
        List<LineChunk> records = new ArrayList<>();
        for (FileFollower.More more :
                follower.look(FileLister.of(List.of(input)).files(), known::get)) {
            known.put(more.path(), more.end());
            FileSourceSplit split =
                    new FileSourceSplit(
                            "1", more.path(), more.from(), more.end() - more.from(), 0, more.end());
            records.addAll(read(format(1000, limits, true).createReader(CONFIG, split)));
        }
        return records;
    }

    private static RecordFormat format(int batchBytes, RecordLimits limits, boolean follows) {
        return new RecordFormat(
                new RecordReader.Options(
                        batchBytes, FilePolicy.DEFAULT, RecordStart.of("> ", limits), follows));
    }

    private static List<LineChunk> read(RecordLimits limits, Path path, FileReports reports)
            throws IOException {
        return read(
                format(1000, limits, false).reporting(reports).createReader(CONFIG, split(path)));
    }

    private static List<LineChunk> read(BulkFormat.Reader<LineChunk> reader) throws IOException {
        List<LineChunk> records = new ArrayList<>();
        try (reader) {
            for (BulkFormat.RecordIterator<LineChunk> batch;
                    (batch = reader.readBatch()) != null; ) {
                for (RecordAndPosition<LineChunk> next; (next = batch.next()) != null; ) {
                    records.add(next.getRecord());
                }
                batch.releaseBatch();
            }
        }
        return records;
    }

    /** Lines of any length, of which some start records; now and then larger than a step of reading. */
    private static byte[] file(Random random) {
        String lines =
                new String(RandomLines.file(random), StandardCharsets.UTF_8)
                        .replaceAll("(?m)^[ab]", "> ");
        if (random.nextInt(4) == 0) {
            lines += "\n> x\n" + "y\n".repeat(random.nextInt(200_000));
        }
        return (lines + (random.nextBoolean() ? lines : "")).getBytes(StandardCharsets.UTF_8);
    }

    /** The records of a file, line by line. */
    private static List<String> expected(byte[] file) {
        List<String> records = new ArrayList<>();
        StringBuilder record = new StringBuilder();
        List<Integer> bounds = RandomLines.bounds(file);
        for (int i = 0; i + 1 < bounds.size(); i++) {
            String line =
                    new String(
                            file,
                            bounds.get(i),
                            bounds.get(i + 1) - bounds.get(i),
                            StandardCharsets.ISO_8859_1);
            if (line.startsWith("> ") && !record.isEmpty()) {
                records.add(record.toString());
                record.setLength(0);
            }
            record.append(line);
        }
        if (!record.isEmpty()) {
            records.add(record.toString());
        }
        return records;
    }

    private static int lastLineEnd(byte[] all, int written) {
        int end = written;
        while (end > 0 && all[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    private static List<String> texts(List<LineChunk> records) {
        return records.stream()
                .map(record -> new String(record.bytes(), StandardCharsets.ISO_8859_1))
                .toList();
    }

    private static FileSourceSplit split(Path path) throws IOException {
        FileLister lister = FileLister.of(List.of(FileInput.of(path)));
        List<FileSourceSplit> splits =
                List.copyOf(
                        new SplitQueue(lister.enumerateSplits(null, 1), 1, 1, 1, false)
                                .remainingSplits());
        if (splits.isEmpty()) {
            return new FileSourceSplit("1", path, 0, 0, 0, 0);
        }
        assertThat(splits).hasSize(1);
        return splits.get(0);
    }

    private Path path(String scheme, String name, byte[] bytes) throws IOException {
        if (!scheme.equals("gz")) {
            return LineChunkFormatTest.path(scheme, Files.write(directory.resolve(name), bytes));
        }
        java.nio.file.Path file = directory.resolve(name + ".gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(bytes);
        }
        return LineChunkFormatTest.path("file", file);
    }

    private static void append(java.nio.file.Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A file that one of the next accesses fails for. */
    private static final class FailingPath extends Path {

        private static final long serialVersionUID = 1L;

        /** How many accesses it is until the one that fails; 0 if none does. */
        private int failing;

        FailingPath(Path path) {
            super(path.toUri());
        }

        @Override
        public FileSystem getFileSystem() throws IOException {
            if (failing > 0 && --failing == 0) {
                throw new IOException("made up");
            }
            return super.getFileSystem();
        }

        /** As a listing has it. */
        FileStatus status() throws IOException {
            FileStatus status = getFileSystem().getFileStatus(this);
            return (FileStatus)
                    Proxy.newProxyInstance(
                            getClass().getClassLoader(),
                            new Class<?>[] {FileStatus.class},
                            (proxy, method, arguments) ->
                                    method.getName().equals("getPath")
                                            ? this
                                            : method.invoke(status, arguments));
        }
    }
}
