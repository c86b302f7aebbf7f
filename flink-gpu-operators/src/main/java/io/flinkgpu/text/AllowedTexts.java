package io.flinkgpu.text;

import io.flinkgpu.api.AllowList;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An allow list ready for look-ups: logarithmic in its entries, and no look-up for most matches. */
final class AllowedTexts {

    private final byte[][] values;
    private final byte[][] prefixes;
    private final boolean[] firstBytes = new boolean[256];
    private final int minLengthBytes;
    private final int neededBytes;

    AllowedTexts(AllowList list) {
        values = sorted(list.values());
        prefixes = withoutCovered(sorted(list.prefixes()));
        int min = Integer.MAX_VALUE;
        int max = 0;
        for (byte[][] entries : List.of(values, prefixes)) {
            for (byte[] entry : entries) {
                firstBytes[entry[0] & 0xff] = true;
                min = Math.min(min, entry.length);
                max = Math.max(max, entry.length);
            }
        }
        minLengthBytes = min;
        neededBytes = max + 1;
    }

    /** No text is read beyond this many bytes. */
    int neededBytes() {
        return neededBytes;
    }

    /** Whether {@code bytes[from, textEnd)} equals a value or starts with a prefix. */
    boolean contains(byte[] bytes, int from, int textEnd) {
        int to = Math.min(textEnd, from + neededBytes);
        if (to - from < minLengthBytes || !firstBytes[bytes[from] & 0xff]) {
            return false;
        }
        int value = lastNotAbove(values, bytes, from, to);
        if (value >= 0 && Arrays.equals(values[value], 0, values[value].length, bytes, from, to)) {
            return true;
        }
        int prefix = lastNotAbove(prefixes, bytes, from, to);
        return prefix >= 0 && startsWith(bytes, from, to, prefixes[prefix]);
    }

    /** The greatest entry that is not greater than the text, -1 if there is none. */
    private static int lastNotAbove(byte[][] entries, byte[] bytes, int from, int to) {
        int low = 0;
        int high = entries.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            byte[] entry = entries[middle];
            if (Arrays.compareUnsigned(entry, 0, entry.length, bytes, from, to) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private static boolean startsWith(byte[] bytes, int from, int to, byte[] prefix) {
        return to - from >= prefix.length
                && Arrays.equals(prefix, 0, prefix.length, bytes, from, from + prefix.length);
    }

    private static byte[][] sorted(List<String> texts) {
        return texts.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .sorted(Arrays::compareUnsigned)
                .toArray(byte[][]::new);
    }

    /**
     * Leaves out what another entry is a prefix of. Without those, a text's only possible prefix is
     * the greatest entry that is not greater than the text.
     */
    private static byte[][] withoutCovered(byte[][] sorted) {
        List<byte[]> kept = new ArrayList<>();
        for (byte[] entry : sorted) {
            byte[] last = kept.isEmpty() ? null : kept.get(kept.size() - 1);
            if (last == null || !startsWith(entry, 0, entry.length, last)) {
                kept.add(entry);
            }
        }
        return kept.toArray(byte[][]::new);
    }
}
