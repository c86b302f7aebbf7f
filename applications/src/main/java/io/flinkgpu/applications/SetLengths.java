package io.flinkgpu.applications;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many of all sets have which length: a histogram, whose sets are counted from the shortest. */
final class SetLengths {

    /**
     * One more than the sum of two dice with the faces 0 to 63: 1 to 127 elements, 64 on average, with
     * a standard deviation of 26.
     */
    static final SetLengths TWO_DICE = twoDice();

    private static final int MAX_LENGTH = 1024;
    private static final long MAX_SETS = 1L << 31;
    private static final Pattern LINE = Pattern.compile("([0-9]{1,4})[ \t]+([0-9]{1,10})");

    /** How many sets are shorter than each length. */
    private final long[] shorter;

    private final long sets;

    private SetLengths(long[] counts) {
        shorter = new long[counts.length];
        for (int length = 1; length < counts.length; length++) {
            shorter[length] = shorter[length - 1] + counts[length - 1];
        }
        sets = shorter[counts.length - 1] + counts[counts.length - 1];
    }

    private static SetLengths twoDice() {
        long[] counts = new long[128];
        for (int length = 1; length < counts.length; length++) {
            counts[length] = 64 - Math.abs(64 - length);
        }
        return new SetLengths(counts);
    }

    /**
     * Reads a histogram: a line for each length, the length and how many sets have it, with a blank or a
     * tab between.
     *
     * @throws UsageException if it is none, with the number of the line
     */
    static SetLengths read(Path file) throws UsageException {
        long[] counts = new long[MAX_LENGTH + 1];
        int longest = 0;
        long sum = 0;
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            int number = 0;
            for (String line; (line = lines.readLine()) != null; ) {
                number++;
                Matcher matcher = LINE.matcher(line.strip());
                int length = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
                if (length < 0 || length > MAX_LENGTH) {
                    throw new UsageException(
                            "a line of --lengths is a length from 0 to "
                                    + MAX_LENGTH
                                    + ", a blank and how many sets have it: file="
                                    + file
                                    + ", line="
                                    + number
                                    + "; correct it");
                }
                long count = Long.parseLong(matcher.group(2));
                counts[length] += count;
                sum += count;
                longest = count > 0 ? Math.max(longest, length) : longest;
            }
        } catch (IOException e) {
            throw new UsageException(
                    "cannot read --lengths '" + file + "': name a file that is readable");
        }
        if (longest == 0 || sum > MAX_SETS) {
            throw new UsageException(
                    "--lengths has at least one set that is not empty, and at most "
                            + MAX_SETS
                            + " in all: file="
                            + file
                            + ", sets="
                            + sum
                            + "; name another");
        }
        return new SetLengths(Arrays.copyOf(counts, longest + 1));
    }

    int longest() {
        return shorter.length - 1;
    }

    /**
     * The length of a set of a corpus that has these lengths in order.
     *
     * @param index from 0 to {@code corpus - 1}
     */
    int inOrder(long index, long corpus) {
        return of(index * sets / corpus);
    }

    /**
     * The length of any set.
     *
     * @param random 32 bits, without a sign
     */
    int random(long random) {
        return of(random * sets >>> 32);
    }

    /** The length of the set that has {@code place} sets before it. */
    private int of(long place) {
        int low = 0;
        int high = longest();
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (shorter[middle] <= place) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
