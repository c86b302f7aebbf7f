package io.flinkgpu.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Documents and queries that are the same in every language: 64-bit arithmetic alone makes them of their
 * numbers, and sizes follow a histogram. Elements are uniform, or follow Zipf's law.
 */
public final class SetSearchData {

    private static final int ELEMENTS = 50_001;
    private static final int LARGEST_UNIFORM_QUERY = 128;
    private static final long DRAW_SEED = 42;
    private static final long DOCUMENT_SEED = 7;
    private static final long QUERY_SEED = 99;

    /** How many of all documents have fewer elements than each size. */
    private final long[] smaller;

    private final long documents;

    /** How many of 2^32 draws give the element at each rank, or one before; null if all are alike. */
    private final long[] ends;

    private final int[] ofRank;

    /**
     * @param sizes lines of a size and how many documents have it
     * @param isSkewed by Zipf's law with an exponent of 1
     * @param documents how many there are; the histogram's share of each size stays
     */
    public SetSearchData(Path sizes, boolean isSkewed, long documents) throws IOException {
        this.documents = documents;
        smaller = smaller(sizes);
        ends = isSkewed ? ends() : null;
        ofRank = shuffled();
    }

    private static long[] smaller(Path sizes) throws IOException {
        long[] counts = new long[0];
        for (String line : Files.readAllLines(sizes)) {
            String[] fields = line.trim().split("\\s+");
            int size = Integer.parseInt(fields[0]);
            counts = Arrays.copyOf(counts, Math.max(counts.length, size + 1));
            counts[size] = Long.parseLong(fields[1]);
        }
        long[] smaller = new long[counts.length + 1];
        for (int size = 0; size < counts.length; size++) {
            smaller[size + 1] = smaller[size] + counts[size];
        }
        return smaller;
    }

    private static long[] ends() {
        double[] sums = new double[ELEMENTS];
        double sum = 0;
        for (int rank = 0; rank < ELEMENTS; rank++) {
            sum += 1.0 / (rank + 1);
            sums[rank] = sum;
        }
        double all = sum;
        long[] ends = Arrays.stream(sums).mapToLong(s -> (long) (s / all * 0x1p32)).toArray();
        ends[ELEMENTS - 1] = 1L << 32;
        return ends;
    }

    private static int[] shuffled() {
        int[] elements = new int[ELEMENTS];
        Arrays.setAll(elements, i -> i);
        Stream random = new Stream(mix(DRAW_SEED ^ 0x7065726d));
        for (int i = ELEMENTS - 1; i >= 1; i--) {
            int j = random.below(i + 1);
            int element = elements[i];
            elements[i] = elements[j];
            elements[j] = element;
        }
        return elements;
    }

    /** How many documents there are; they are numbered from 0, in the order of their sizes. */
    public long documents() {
        return documents;
    }

    /** The elements of a document, in order. */
    public int[] document(long number) {
        Stream random = new Stream(mix(DOCUMENT_SEED + number * Stream.STEP));
        return sorted(random, sizeAt(number * all() / documents), !isUniform());
    }

    /** A query of a random size, of elements that are all alike. */
    public int[] uniformQuery(long number) {
        Stream random = queryStream(number);
        return sorted(random, 1 + random.below(LARGEST_UNIFORM_QUERY), false);
    }

    /** A query like a document. */
    public int[] drawnQuery(long number) {
        Stream random = queryStream(number);
        int size = Math.max(1, sizeAt((random.upper() * all()) >>> Integer.SIZE));
        return sorted(random, size, !isUniform());
    }

    private static Stream queryStream(long number) {
        return new Stream(mix(QUERY_SEED ^ 0x71756572 ^ number << 24));
    }

    private boolean isUniform() {
        return ends == null;
    }

    private long all() {
        return smaller[smaller.length - 1];
    }

    /** The size of the document at a place in the order of sizes. */
    private int sizeAt(long place) {
        int size = 0;
        while (size + 1 < smaller.length && smaller[size + 1] <= place) {
            size++;
        }
        return size;
    }

    private int[] sorted(Stream random, int size, boolean isSkewed) {
        int[] elements = new int[size];
        int count = 0;
        while (count < size) {
            int element = isSkewed ? skewed(random.upper()) : random.below(ELEMENTS);
            int place = Arrays.binarySearch(elements, 0, count, element);
            if (place < 0) {
                System.arraycopy(elements, ~place, elements, ~place + 1, count - ~place);
                elements[~place] = element;
                count++;
            }
        }
        return elements;
    }

    /** Of the first rank that ends above a number. */
    private int skewed(long number) {
        int low = 0;
        int high = ELEMENTS - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] > number) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return ofRank[low];
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014), of the next state. */
    public static long mix(long number) {
        long z = number + Stream.STEP;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** SplitMix64. */
    private static final class Stream {

        static final long STEP = 0x9E3779B97F4A7C15L;

        private long state;

        Stream(long state) {
            this.state = state;
        }

        /** The upper half of the next number. */
        long upper() {
            long next = mix(state);
            state += STEP;
            return next >>> Integer.SIZE;
        }

        int below(int bound) {
            return (int) (upper() * bound >>> Integer.SIZE);
        }
    }
}
