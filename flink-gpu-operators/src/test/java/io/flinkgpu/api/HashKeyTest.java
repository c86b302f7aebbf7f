package io.flinkgpu.api;

import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: HashKey.
 */
class HashKeyTest {

    private static final String KEY = "0123456789abcdef";

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n", "\n\n"})
    void lineEndsBehindTheKeyInAFileAreNoPartOfIt(String lineEnds) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), KEY + lineEnds);
        assertThat(HashKey.fromFile(file).load())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo(KEY);
    }

    @Test
    void aKeyInAFileMayBeAnyBytes() throws IOException {
        byte[] key = new byte[256];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (i * 7 + 1);
        }
        Path file = Files.write(folder.resolve("key"), key);
        assertThat(HashKey.fromFile(file).load()).isEqualTo(key);
    }

    @Test
    void aKeyIsReadFromTheEnvironment() {
        assertThat(HashKey.fromEnvironment("PATH").load())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(System.getenv("PATH"));
    }

    @Test
    void aKeyThatIsNotThereIsRefusedByItsPlace() {
        assertThatThrownBy(() -> HashKey.fromEnvironment("NO_SUCH_VARIABLE_HERE").load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "cannot read the hash key from environment variable"
                                + " 'NO_SUCH_VARIABLE_HERE': set it for the TaskManagers");
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> HashKey.fromFile(missing).load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "cannot read the hash key from file '"
                                + missing
                                + "': make the file readable here");
    }

    @Test
    void aShortKeyIsRefusedAndNotPrinted() throws IOException {
        Path file = Files.writeString(folder.resolve("key"), KEY.substring(1) + "\n");
        assertThatThrownBy(() -> HashKey.fromFile(file).load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the hash key in file '"
                                + file
                                + "' has 15 bytes; put at least 16 random bytes there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"aaaaaaaaaaaaaaaaaaaa", "abcabcabcabcabcabcabcabc"})
    void aKeyOfAFewBytesIsRefused(String weak) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), weak);
        assertThatThrownBy(() -> HashKey.fromFile(file).load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the hash key in file '"
                                + file
                                + "' repeats fewer than 4 bytes; put at least 16 random bytes there");
    }

    @Test
    void aKeyOfSeveralLinesIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("key"), KEY + "\n" + KEY + "\n");
        assertThatThrownBy(() -> HashKey.fromFile(file).load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the hash key in file '"
                                + file
                                + "' has several lines of text; put one key there");
    }

    @Test
    @Timeout(20)
    void onlyRegularFilesAreRead() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        assertThatThrownBy(() -> HashKey.fromFile(pipe).load())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the hash key in file '"
                                + pipe
                                + "' is not in a regular file: copy it to one");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("/dev/zero"));
        assertThatThrownBy(() -> HashKey.fromFile(link).load())
                .hasMessageEndingWith("is not in a regular file: copy it to one");
        Path key = Files.writeString(folder.resolve("key"), KEY);
        Path toKey = Files.createSymbolicLink(folder.resolve("to-key"), key);
        assertThat(HashKey.fromFile(toKey).load()).hasSize(KEY.length());
    }

    @Test
    void aFileThatAllCanReadIsWarnedOf() throws IOException {
        Path file = Files.writeString(folder.resolve("key"), KEY);
        HashKey key = HashKey.fromFile(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(key.readableByAll())
                .contains(
                        "the hash key in file '"
                                + file
                                + "' can be read by all users of the machine: mode=rw-r--r--; chmod 400"
                                + " it, or mount it with defaultMode: 0400");
        assertThat(key.load()).hasSize(KEY.length());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(key.readableByAll()).isEmpty();
        assertThat(HashKey.fromEnvironment("PATH").readableByAll()).isEmpty();
    }

    @Test
    void onlyThePlaceIsSerializedAndPrinted() throws Exception {
        Path file = Files.writeString(folder.resolve("key"), KEY);
        HashKey key = HashKey.fromFile(file);
        key.load();
        byte[] serialized = InstantiationUtil.serializeObject(key);
        assertThat(new String(serialized, StandardCharsets.ISO_8859_1)).doesNotContain(KEY);
        assertThat(key).hasToString("file '" + file + "'");
        HashKey copy = InstantiationUtil.deserializeObject(serialized, getClass().getClassLoader());
        Files.writeString(file, KEY + "+");
        assertThat(copy.load()).asString(StandardCharsets.US_ASCII).isEqualTo(KEY + "+");
    }
}
