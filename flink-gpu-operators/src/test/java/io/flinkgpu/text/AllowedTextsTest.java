package io.flinkgpu.text;

import io.flinkgpu.api.AllowList;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: AllowedTexts.
 */
class AllowedTextsTest {

    private static final long SEED = 20260101L;

    @Test
    void valuesAreWholeAndPrefixesAreStarts() {
        AllowedTexts texts =
                new AllowedTexts(
                        new AllowList(List.of("abc", "\u00e9"), List.of("x-", "x-y", "q")));
        assertThat(Stream.of("abc", "\u00e9", "x-", "x-1", "x-y", "x-yz", "q", "qq"))
                .allMatch(text -> contains(texts, text));
        assertThat(Stream.of("ab", "abcd", "ABC", "\u00c9", "x", "y-", "z", "e"))
                .noneMatch(text -> contains(texts, text));
    }

    @Test
    void agreesWithStrings() {
        Random random = new Random(SEED);
        for (int n = 0; n < 400; n++) {
            List<String> values = randomTexts(random, random.nextInt(8));
            List<String> prefixes = randomTexts(random, random.nextInt(8));
            if (values.isEmpty() && prefixes.isEmpty()) {
                continue;
            }
            AllowedTexts texts = new AllowedTexts(new AllowList(values, prefixes));
            for (String text : randomTexts(random, 100)) {
                boolean expected =
                        values.contains(text) || prefixes.stream().anyMatch(text::startsWith);
                assertThat(contains(texts, text))
                        .as("seed %d: %s in %s, %s", SEED, text, values, prefixes)
                        .isEqualTo(expected);
            }
        }
    }

    private static List<String> randomTexts(Random random, int count) {
        return random.ints(count, 1, 5)
                .mapToObj(
                        length ->
                                random.ints(length, 0, 3)
                                        .mapToObj(i -> List.of("a", "b", "\u00e9").get(i))
                                        .reduce("", String::concat))
                .toList();
    }

    private static boolean contains(AllowedTexts texts, String text) {
        byte[] bytes = ("a" + text + "a").getBytes(StandardCharsets.UTF_8);
        return texts.contains(bytes, 1, bytes.length - 1);
    }
}
