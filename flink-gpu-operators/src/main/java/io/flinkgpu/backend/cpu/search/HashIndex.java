package io.flinkgpu.backend.cpu.search;

import java.util.Arrays;

/**
 * The index of wide documents. The hash of an element, which no other element has, is the number of a bucket and
 * then a tag: the bucket has pairs of a tag and a rank, in order.
 */
final class HashIndex extends RankIndex {

    /** An element that one of so many documents has gets a bitmap, which is hardly larger than the pairs. */
    private static final int DOCUMENTS_PER_BIT = 32;

    private static final int FEWEST_BITS = 16;

    /** So that what is left of a hash fits into a tag. */
    private static final int LEAST_BUCKET_BITS = Integer.SIZE - Character.SIZE;

    /** On average at most. */
    private static final int PAIRS_PER_BUCKET = 8;

    /** More than what a bitmap has instead of a pair, and its hash. */
    private static final int MOST_BYTES_PER_ELEMENT = 5;

    /** Odd, so that it has an inverse: 2^32 divided by the golden ratio (Knuth 6.4). */
    private static final int SPREAD = 0x9E3779B9;

    /** Of a hash to a bucket. */
    private final int shift;

    /** By bucket. */
    private final int[] starts;

    /** Of the ranks. */
    private final char[] tags;

    /** The hashes of elements that have a bitmap, {@link #signed} and ascending. */
    private final int[] frequent;

    private HashIndex(
            int shift, int[] starts, char[] tags, char[] ranks, int[] frequent, long[][] bitmaps) {
        super(ranks, bitmaps);
        this.shift = shift;
        this.starts = starts;
        this.tags = tags;
        this.frequent = frequent;
    }

    /** As much memory as an index of some slots may take. */
    static long mostBytes(Slots slots) {
        return Integer.BYTES * ((1L << bucketBits(slots)) + 1)
                + (long) MOST_BYTES_PER_ELEMENT * slots.allElements();
    }

    private static int bucketBits(Slots slots) {
        int buckets = slots.allElements() / PAIRS_PER_BUCKET;
        return Math.max(LEAST_BUCKET_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(buckets));
    }

    static HashIndex of(SizeOrder order) {
        int bucketBits = bucketBits(order.slots());
        int shift = Integer.SIZE - bucketBits;
        int[] starts = new int[(1 << bucketBits) + 1];
        int[] pairs = pairs(order, shift, starts);
        return new Builder(order.slots(), shift, starts, pairs).build();
    }

    /** The pairs of all buckets in order, as signed numbers; sets where buckets start. */
    private static int[] pairs(SizeOrder order, int shift, int[] starts) {
        Slots slots = order.slots();
        int[] elements = slots.tile().elements();
        int end = slots.endElement();
        for (int i = slots.firstElement(); i < end; i++) {
            starts[(elements[i] * SPREAD >>> shift) + 1]++;
        }
        for (int bucket = 1; bucket < starts.length; bucket++) {
            starts[bucket] += starts[bucket - 1];
        }
        int[] next = Arrays.copyOf(starts, starts.length - 1);
        int[] pairs = new int[slots.allElements()];
        int[] ofTile = slots.tile().starts();
        for (int rank = 0; rank < slots.count(); rank++) {
            int slot = order.slot(rank);
            for (int i = ofTile[slot]; i < ofTile[slot + 1]; i++) {
                int hash = elements[i] * SPREAD;
                pairs[next[hash >>> shift]++] = signed(hash << Character.SIZE | rank);
            }
        }
        for (int bucket = 0; bucket < next.length; bucket++) {
            Arrays.sort(pairs, starts[bucket], starts[bucket + 1]);
        }
        return pairs;
    }

    /** The same bits but the highest: what is in the order of unsigned numbers is in that of signed ones then. */
    private static int signed(int bits) {
        return bits ^ Integer.MIN_VALUE;
    }

    @Override
    long find(int element) {
        int hash = element * SPREAD;
        int bucket = hash >>> shift;
        int tag = (char) hash;
        int start = first(starts[bucket], starts[bucket + 1], tag);
        int end = first(start, starts[bucket + 1], tag + 1);
        if (start < end) {
            return range(start, end);
        }
        int found = Arrays.binarySearch(frequent, signed(hash));
        return found < 0 ? NONE : ~found;
    }

    /** The first of some tags that is at least this one, or the end. */
    private int first(int from, int to, int tag) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (tags[middle] < tag) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    long bytes() {
        return super.bytes()
                + (long) Character.BYTES * tags.length
                + Integer.BYTES * (long) (starts.length + frequent.length);
    }

    /** Makes bitmaps of runs of pairs that are long. */
    private static final class Builder {

        private final Slots slots;
        private final int shift;
        private final int[] starts;

        /** In front those that stay. */
        private final int[] pairs;

        private int left;
        private int[] frequent = new int[16];
        private long[][] bitmaps = new long[16][];
        private int count;

        Builder(Slots slots, int shift, int[] starts, int[] pairs) {
            this.slots = slots;
            this.shift = shift;
            this.starts = starts;
            this.pairs = pairs;
        }

        HashIndex build() {
            int end = 0;
            for (int bucket = 0; bucket + 1 < starts.length; bucket++) {
                int start = end;
                end = starts[bucket + 1];
                starts[bucket] = left;
                while (start < end) {
                    int next = start + 1;
                    while (next < end && (pairs[next] ^ pairs[start]) >>> Character.SIZE == 0) {
                        next++;
                    }
                    add(bucket, start, next);
                    start = next;
                }
            }
            starts[starts.length - 1] = left;
            char[] tags = new char[left];
            char[] ranks = new char[left];
            for (int i = 0; i < left; i++) {
                tags[i] = (char) (signed(pairs[i]) >>> Character.SIZE);
                ranks[i] = (char) pairs[i];
            }
            return new HashIndex(
                    shift,
                    starts,
                    tags,
                    ranks,
                    Arrays.copyOf(frequent, count),
                    Arrays.copyOf(bitmaps, count));
        }

        /** Adds the pairs of an element. */
        private void add(int bucket, int from, int to) {
            int documents = to - from;
            if (documents < FEWEST_BITS || (long) documents * DOCUMENTS_PER_BIT < slots.count()) {
                System.arraycopy(pairs, from, pairs, left, documents);
                left += documents;
                return;
            }
            if (count == frequent.length) {
                frequent = Arrays.copyOf(frequent, 2 * count);
                bitmaps = Arrays.copyOf(bitmaps, 2 * count);
            }
            long[] bitmap = new long[words(slots)];
            for (int i = from; i < to; i++) {
                int rank = (char) pairs[i];
                bitmap[rank >>> 6] |= 1L << rank;
            }
            int tag = signed(pairs[from]) >>> Character.SIZE;
            frequent[count] = signed(bucket << shift | tag & (1 << shift) - 1);
            bitmaps[count++] = bitmap;
        }
    }
}
