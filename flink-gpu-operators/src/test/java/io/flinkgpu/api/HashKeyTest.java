package io.flinkgpu.api;

import org.apache.flink.util.InstantiationUtil;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
