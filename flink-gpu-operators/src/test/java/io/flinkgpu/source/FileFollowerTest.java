package io.flinkgpu.source;

import org.apache.flink.core.fs.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which lines of files are given out as the files grow, and which wait.
 *
 * <p>Covers: FileFollower, FileListing.
 */
class FileFollowerTest {

    private static final long SEED = Long.getLong("seed", 20_261_123);

    @TempDir private java.nio.file.Path directory;
    private final Map<Path, Long> known = new HashMap<>();
    private final FileFollower follower = new FileFollower(null);
    private java.nio.file.Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("f.log");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "other"})
    void givesEachLineOutOnceItIsWhole(String scheme) throws IOException {
        for (long seed = SEED; seed < SEED + 100; seed++) {
            Random random = new Random(seed);
            file = directory.resolve("f" + seed);
            byte[] all = RandomLines.file(random);
            ByteArrayOutputStream given = new ByteArrayOutputStream();
            for (int written = 0; written < all.length; ) {
                int more = 1 + random.nextInt(all.length - written);
                append(Arrays.copyOfRange(all, written, written + more));
                written += more;
                int before = given.size();
                for (FileFollower.More found : look(scheme)) {
                    assertThat(found.from()).as("seed=%d", seed).isEqualTo(before);
                    given.write(all, before, (int) (found.end() - found.from()));
                }
                assertThat(given.toByteArray())
                        .as("seed=%d, written=%d", seed, written)
                        .isEqualTo(wholeLines(all, written));
            }
        }
    }

    @Test
    void aLineThatIsLongerThanAnyStepWaitsForItsEnd() throws IOException {
        append("a\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(look("file")).hasSize(1);
        for (int i = 0; i < 5; i++) {
            append(new byte[100_000]);
            assertThat(look("file")).isEmpty();
        }
        append("\nb".getBytes(StandardCharsets.US_ASCII));
        assertThat(look("file"))
                .extracting(FileFollower.More::from, FileFollower.More::end)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(2L, 500_003L));
        assertThat(look("file")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b\n", "bbbb\nbbbb\nbbbb\n", ""})
    void aFileThatWasCutOrReplacedBeginsAnew(String text) throws IOException {
        append("one\ntwo\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(look("file")).hasSize(1);
        Files.writeString(file, text);
        if (text.isEmpty()) {
            assertThat(look("file")).isEmpty();
            append("c\n".getBytes(StandardCharsets.US_ASCII));
        }
        List<FileFollower.More> found = look("file");
        assertThat(found).hasSize(1);
        assertThat(found.get(0).beginsAnew()).isTrue();
        assertThat(found.get(0).from()).isZero();
        assertThat(found.get(0).end()).isEqualTo(Files.size(file));
    }

    @Test
    void aCompressedFileIsGivenOutOnceAndWhole() throws IOException {
        file = directory.resolve("f.gz");
        append(new byte[10]);
        assertThat(look("file")).extracting(FileFollower.More::end).containsExactly(10L);
        append(new byte[10]);
        assertThat(look("file")).isEmpty();
    }

    /** Of one that goes between its listing and the look at it, the next listing says what it is. */
    @Test
    void oneFileThatGoesKeepsNoOtherBack() throws IOException {
        append("a\n".getBytes(StandardCharsets.US_ASCII));
        Path other = new Path(directory.resolve("g.log").toUri());
        Files.writeString(directory.resolve("g.log"), "b\n");
        FileLister lister =
                FileLister.of(List.of(FileInput.of(new Path(file.toUri())), FileInput.of(other)));
        var listed = lister.files();
        Files.delete(file);
        assertThat(follower.look(listed, known::get))
                .extracting(FileFollower.More::path)
                .containsExactly(other);
    }

    private List<FileFollower.More> look(String scheme) throws IOException {
        FileInput input = FileInput.of(LineChunkFormatTest.path(scheme, file));
        List<FileFollower.More> found =
                follower.look(FileLister.of(List.of(input)).files(), known::get);
        found.forEach(more -> known.put(more.path(), more.end()));
        return found;
    }

    private void append(byte[] bytes) throws IOException {
        Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static byte[] wholeLines(byte[] all, int written) {
        int end = written;
        while (end > 0 && all[end - 1] != '\n') {
            end--;
        }
        return Arrays.copyOf(all, end);
    }
}
