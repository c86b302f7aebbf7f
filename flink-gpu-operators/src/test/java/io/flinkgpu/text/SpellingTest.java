package io.flinkgpu.text;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which known word a mistyped one is taken for.
 *
 * <p>Covers: Spelling.
 */
class SpellingTest {

    private static final List<String> KNOWN = List.of("--input", "--output", "--k", "--hash-key");

    @ParameterizedTest
    @CsvSource({
        "--inptu, --input",
        "--imput, --input",
        "--inputs, --input",
        "--put, --input", // two letters are missing, of the other word three
        "--INPUT, --input",
        "-output, --output",
        "--hashkey, --hash-key",
        "--hsah-kye, ", // four letters are other ones
        "--hash_keys, --hash-key",
        "--kk, ", // of one letter, any would do
        "--x, ",
        "--frobnicate, ",
        "'', ",
    })
    void nearestIsTheOneOfFewestEdits(String word, String nearest) {
        assertThat(Spelling.nearest(word, KNOWN)).isEqualTo(Optional.ofNullable(nearest));
    }

    @Test
    void firstOfSeveralThatAreAsNear() {
        assertThat(Spelling.nearest("row", List.of("rows", "raw", "low"))).contains("rows");
        assertThat(Spelling.nearest("row", List.of())).isEmpty();
    }
}
