package io.flinkgpu.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How many documents of a real corpus have each number of elements. Immutable. */
final class SetLengths {

    private final int[] least;

    /**
     * @param cumulative how many documents are shorter than each length, and all
     */
    private SetLengths(int[] cumulative) {
        least = cumulative;
    }

    /**
     * Reads lines of a length and a number of documents; lengths rise from 0 in steps of one.
     *
     * @throws IllegalArgumentException if the file is not like that
     */
    static SetLengths read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file).stream().filter(it -> !it.isBlank()).toList();
        int[] cumulative = new int[lines.size() + 1];
        for (int length = 0; length < lines.size(); length++) {
            String[] words = lines.get(length).strip().split("\\s+");
            if (words.length != 2 || !words[0].equals(Integer.toString(length))) {
                throw new IllegalArgumentException(
                        "a line of lengths is a length, from 0 on, and a number of documents: file="
                                + file
                                + ", line="
                                + (length + 1));
            }
            cumulative[length + 1] = cumulative[length] + Integer.parseInt(words[1]);
        }
        return new SetLengths(cumulative);
    }

    /** Documents of the real corpus. */
    int documents() {
        return least[least.length - 1];
    }

    /** The length of a document of the real corpus, which is in the order of lengths. */
    int length(long document) {
        int low = 0;
        int high = least.length - 1;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (least[middle] <= document) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
