package io.flinkgpu.applications;

import io.flinkgpu.applications.Shingles.Unit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Texts as sets of hashed shingles. */
class ShinglesTest {

    /** As other implementations of MurmurHash3_x86_32 have them, of bytes in hexadecimal. */
    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "21, 72661cf4",
        "2143, a0f7b07a",
        "214365, 7e4a8634",
        "21436587, f55b516b",
        "ffffffff, 76293b50",
        "68656c6c6f, 248bfa47",
        "68656c6c6f2c20776f726c64, 149bbb7f"
    })
    void hashesAreThoseOfMurmurHash(String hex, String hash) {
        byte[] bytes = HexFormat.of().parseHex("ff" + hex + "ff");
        assertThat(Integer.toHexString(MurmurHash.of(bytes, 1, bytes.length - 1))).isEqualTo(hash);
    }

    @Test
    void wordsAreRunsOfLettersAndDigitsInLowerCase() {
        assertThat(words(2, "  Über-Größe: 42 (in Łódź)!"))
                .containsExactly(
                        hash("über größe"), hash("größe 42"), hash("42 in"), hash("in łódź"));
        // A mark belongs to its letter, and a character may be two chars.
        assertThat(words(1, "cafe\u0301 𐐀b")).containsExactly(hash("cafe\u0301"), hash("𐐨b"));
        assertThat(words(1, "在庫を 更新")).containsExactly(hash("在庫を"), hash("更新"));
    }

    @Test
    void aTextThatIsShorterThanAShingleIsOne() {
        assertThat(words(5, "Disk full")).containsExactly(hash("disk full"));
        assertThat(words(2, "Disk full")).containsExactly(hash("disk full"));
        assertThat(bytes(5, "é")).containsExactly(hash("é"));
    }

    @Test
    void aTextWithoutWordsHasNone() {
        assertThat(words(5, "")).isEmpty();
        assertThat(words(5, " -- !\t")).isEmpty();
        assertThat(bytes(5, "")).isEmpty();
    }

    @Test
    void bytesAreTakenAsTheyAre() {
        assertThat(bytes(3, "aB é"))
                .containsExactly(
                        hash("aB "),
                        MurmurHash.of(utf8("B é"), 0, 3),
                        MurmurHash.of(utf8(" é"), 0, 3));
        assertThat(new Shingles(2, Unit.BYTES, 32).of(new byte[] {-1, -2, -3})).hasSize(2);
    }

    @Test
    void bytesThatAreNoTextAreNoWords() {
        byte[] broken = utf8("a?b");
        broken[1] = -1;
        assertThat(new Shingles(1, Unit.WORDS, 32).of(broken))
                .containsExactly(hash("a"), hash("b"));
    }

    @Test
    void fewerBitsAreTheUpperOnes() {
        assertThat(new Shingles(1, Unit.WORDS, 15).of(utf8("hello")))
                .containsExactly(0x248bfa47 >>> 17);
    }

    @Test
    void ofALongTextTheSmallestHashesStay() {
        String text = numbers(0, 3_000);
        int[] sketch = words(1, text);
        assertThat(sketch)
                .containsExactly(
                        IntStream.range(0, 3_000)
                                .map(number -> hash("w" + number))
                                .boxed()
                                .sorted(Integer::compareUnsigned)
                                .mapToInt(hash -> hash)
                                .limit(Shingles.MAX_ELEMENTS)
                                .toArray());
        assertThat(words(1, text + " " + text)).isEqualTo(sketch);
        assertThat(words(1, numbers(0, Shingles.MAX_ELEMENTS))).hasSize(Shingles.MAX_ELEMENTS);
    }

    /** 9,000 common words of 11,000. */
    @Test
    void scoresOfSketchesAreNearThoseOfTheTexts() {
        long seed = new Random().nextLong();
        int first = new Random(seed).nextInt(1_000_000);
        int[] one = words(1, numbers(first, 10_000));
        int[] other = words(1, numbers(first + 1_000, 10_000));
        assertThat(jaccard(one, other)).as("seed=%d", seed).isCloseTo(9 / 11., within(0.07));
    }

    private static double jaccard(int[] one, int[] other) {
        Set<Integer> common = Arrays.stream(one).boxed().collect(Collectors.toSet());
        common.retainAll(Arrays.stream(other).boxed().toList());
        return (double) common.size() / (one.length + other.length - common.size());
    }

    private static String numbers(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(number -> "w" + number)
                .collect(Collectors.joining(" "));
    }

    private static int[] words(int length, String text) {
        return new Shingles(length, Unit.WORDS, 32).of(utf8(text));
    }

    private static int[] bytes(int length, String text) {
        return new Shingles(length, Unit.BYTES, 32).of(utf8(text));
    }

    private static int hash(String shingle) {
        byte[] bytes = utf8(shingle);
        return MurmurHash.of(bytes, 0, bytes.length);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
