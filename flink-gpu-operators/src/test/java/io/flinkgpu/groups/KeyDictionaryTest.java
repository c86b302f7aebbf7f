package io.flinkgpu.groups;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: KeyDictionary.
 */
class KeyDictionaryTest {

    private final KeyDictionary keys = new KeyDictionary();
    private final KeyBytes bytes = new KeyBytes();

    @Test
    void numbersKeysAsAMapDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, Integer> ids = new HashMap<>();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            int number = random.nextInt(5_000);
            String text = "k".repeat(number % 40) + (number % 7 == 0 ? "" : number);
            set(text);
            int id = keys.find(bytes);
            assertThat(id).as("seed=%d", seed).isEqualTo(ids.getOrDefault(text, -1));
            if (id < 0) {
                ids.put(text, keys.size());
                texts.add(text);
                assertThat(keys.add(bytes, number)).isEqualTo(texts.size() - 1);
            }
        }
        assertThat(keys.size()).isEqualTo(texts.size());
        for (int id = 0; id < texts.size(); id++) {
            keys.key(id, bytes);
            assertThat(new String(bytes.copy(), StandardCharsets.UTF_8)).isEqualTo(texts.get(id));
        }
    }

    /** Keys that differ in one byte, at each place and of each length, are apart. */
    @Test
    void keysOfAllLengthsAreApart() {
        int size = 0;
        for (int length = 0; length <= 40; length++) {
            for (int place = -1; place < length; place++) {
                byte[] key = new byte[length];
                if (place >= 0) {
                    key[place] = 1;
                }
                bytes.set(key, 0, length);
                assertThat(keys.find(bytes)).isEqualTo(-1);
                assertThat(keys.add(bytes, length)).isEqualTo(size);
                assertThat(keys.find(bytes)).isEqualTo(size);
                assertThat(keys.keyGroup(size++)).isEqualTo(length);
            }
        }
    }

    @Test
    void longKeysAreKeptWhole() {
        String text = "long".repeat(10_000);
        set(text);
        int id = keys.add(bytes, 3);
        set("other");
        keys.add(bytes, 4);
        keys.key(id, bytes);
        assertThat(new String(bytes.copy(), StandardCharsets.UTF_8)).isEqualTo(text);
        assertThat(keys.find(bytes)).isEqualTo(id);
    }

    private void set(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        bytes.set(utf8, 0, utf8.length);
    }
}
