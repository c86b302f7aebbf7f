package io.flinkgpu.text;

import org.apache.flink.annotation.Internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Tells whether one of some words is in a text, whatever the case of its ASCII letters. Immutable. */
@Internal
public final class Words {

    /** The words by their first byte, in lower case; null where there are none. */
    private final byte[][][] byFirst = new byte[256][][];

    Words(List<String> words) {
        List<List<byte[]>> lists = new ArrayList<>();
        for (int b = 0; b < byFirst.length; b++) {
            lists.add(new ArrayList<>());
        }
        for (String word : words) {
            byte[] bytes = lowerCase(word);
            lists.get(bytes[0] & 0xff).add(bytes);
        }
        for (int b = 0; b < byFirst.length; b++) {
            byte[][] list = lists.get(lower((byte) b) & 0xff).toArray(byte[][]::new);
            byFirst[b] = list.length == 0 ? null : list;
        }
    }

    /** Whether a word lies within {@code bytes[from, to)}. */
    boolean isIn(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            byte[][] words = byFirst[bytes[at] & 0xff];
            if (words != null) {
                for (byte[] word : words) {
                    if (isAt(word, bytes, at, to)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean isAt(byte[] word, byte[] bytes, int at, int to) {
        if (to - at < word.length) {
            return false;
        }
        for (int i = 1; i < word.length; i++) {
            if (lower(bytes[at + i]) != word[i]) {
                return false;
            }
        }
        return true;
    }

    /** A word in UTF-8, its ASCII letters in lower case. */
    public static byte[] lowerCase(String word) {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = lower(bytes[i]);
        }
        return bytes;
    }

    private static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 'a' - 'A') : b;
    }
}
