package io.flinkgpu.embeddings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: FileChecksum.
 */
class FileChecksumTest {

    private static final int PART = 16 << 20;

    @TempDir Path directory;

    private static long checksum(byte[] bytes, int from, int to) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        return checksum.getValue();
    }

    @Test
    void theChecksumOfTwoPartsIsThatOfTheWhole() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            int cut = random.nextInt(bytes.length + 1);
            long first = checksum(bytes, 0, cut);
            long second = checksum(bytes, cut, bytes.length);
            assertThat(FileChecksum.joined(first, second, bytes.length - cut))
                    .as("seed=%d, bytes=%d, cut=%d", seed, bytes.length, cut)
                    .isEqualTo(checksum(bytes, 0, bytes.length));
        }
    }

    @Test
    void severalThreadsGiveWhatOneGives() throws IOException {
        byte[] bytes = new byte[2 * PART + 5];
        new Random(1).nextBytes(bytes);
        Path path = Files.write(directory.resolve("file"), bytes);
        try (FileChannel channel = FileChannel.open(path);
                Workers one = Workers.ofCaller();
                Workers several = new Workers("test", 3)) {
            for (int from : new int[] {0, 3}) {
                for (int length : new int[] {0, 1, PART - 1, PART, PART + 1, 2 * PART + 2}) {
                    long expected = checksum(bytes, from, from + length);
                    assertThat(FileChecksum.of(channel, from, from + length, one))
                            .isEqualTo(expected);
                    assertThat(FileChecksum.of(channel, from, from + length, several))
                            .isEqualTo(expected);
                }
            }
            int needed = bytes.length + 1;
            assertThatThrownBy(() -> FileChecksum.of(channel, 0, needed, several))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("bytes=" + bytes.length + ", needed=" + needed);
        }
    }
}
