package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: RangeReader, LineCounts.
 */
class RangeReaderTest {

    @TempDir private Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("sets"), bytes);
    }

    /** Numbers and texts of lines, in the order of ranges. */
    private static List<String> read(LineCounts counts) throws IOException {
        List<String> lines = new ArrayList<>();
        try (RangeReader reader = new RangeReader(counts)) {
            for (int range = 0; range < counts.ranges(); range++) {
                reader.read(
                        range,
                        (number, bytes, from, to) ->
                                lines.add(number + ":" + text(bytes, from, to)));
            }
        }
        return lines;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** The same, byte by byte. */
    private static List<String> expected(byte[] bytes) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == '\n') {
                int to = at > from && bytes[at - 1] == '\r' ? at - 1 : at;
                lines.add(lines.size() + ":" + text(bytes, from, to));
                from = at + 1;
            }
        }
        if (from < bytes.length) {
            lines.add(lines.size() + ":" + text(bytes, from, bytes.length));
        }
        return lines;
    }

    @Test
    void anyBytesInRangesOfAnySize() throws IOException {
        long seed = System.nanoTime();
        System.out.println("RangeReaderTest: seed=" + seed);
        Random random = new Random(seed);
        byte[] likely = {'\n', '\r', ',', '7', (byte) 0x8a, 0x0b, 0};
        for (int run = 0; run < 300; run++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            int share = random.nextInt(4);
            for (int i = 0; i < bytes.length; i++) {
                if (random.nextInt(4) < share) {
                    bytes[i] = likely[random.nextInt(likely.length)];
                }
            }
            int rangeBytes = 1 + random.nextInt(random.nextBoolean() ? 8 : 250);
            LineCounts counts = LineCounts.of(file(bytes), rangeBytes);
            List<String> expected = expected(bytes);
            assertThat(read(counts)).as("run=%s", run).isEqualTo(expected);
            assertThat(counts.lines()).as("run=%s", run).isEqualTo(expected.size());
            assertThat(counts.commas())
                    .as("run=%s", run)
                    .isEqualTo(text(bytes, 0, bytes.length).chars().filter(c -> c == ',').count());
        }
    }

    @Test
    void aLineThatIsLongerThanItsRangeAndAllBuffers() throws IOException {
        byte[] bytes = new byte[300_000];
        Arrays.fill(bytes, (byte) '5');
        bytes[10] = '\n';
        bytes[299_000] = '\n';
        assertThat(read(LineCounts.of(file(bytes), 1000))).isEqualTo(expected(bytes));
    }

    @Test
    void aLineThatIsTooLong() throws IOException {
        byte[] bytes = new byte[RangeReader.MAX_LINE_BYTES + 200_000];
        Arrays.fill(bytes, (byte) '5');
        bytes[1] = '\n';
        Path file = file(bytes);
        assertThatThrownBy(() -> read(LineCounts.of(file, 1 << 20)))
                .isInstanceOf(MalformedException.class)
                .hasMessage(
                        "a line is malformed: file="
                                + file
                                + ", line=2 (the first is 1): it has more than 16777216 bytes; shorten it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1\n", "1\n2\n3\n"})
    void aFileThatChangesAfterItWasCounted(String text) throws IOException {
        Path file = file("1\n2\n".getBytes(StandardCharsets.UTF_8));
        LineCounts counts = LineCounts.of(file, 100);
        Files.writeString(file, text);
        assertThatThrownBy(() -> read(counts))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the file has changed while it was read: file="
                                + file
                                + ", bytes="
                                + text.length()
                                + ", before=4; start again once it is complete");
    }
}
