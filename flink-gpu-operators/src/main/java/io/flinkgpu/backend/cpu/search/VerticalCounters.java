package io.flinkgpu.backend.cpu.search;

import java.util.Arrays;

/**
 * Planes of bits, what is best where there are bitmaps: a plane has one bit of all counters, so that 64 of
 * them, or with the vectors of a core several hundred, are added to by a few logical operations. Bitmaps are
 * added in pairs, by full adders, whose carries are added in pairs to the next plane, and so on: of n bitmaps
 * the lowest plane sees n/2 additions, the next n/4.
 */
final class VerticalCounters extends RankCounters {

    /** What counters count to, up to 1,024, is less than two to this power. */
    private static final int PLANES = 11;

    /** So many carries there may be of a thousand bitmaps, though those of the last ones are zero. */
    private static final int LEVELS = 12;

    private final long[][] planes = new long[LEVELS][];

    /** By plane: what is still to be added; null if nothing. */
    private final long[][] pending = new long[LEVELS][];

    /** By plane: two arrays for what is added to it. */
    private final long[][][] carries = new long[LEVELS][2][];

    private int words;

    /** The planes that may have bits. */
    private int used;

    private int bitmaps;

    VerticalCounters(int maxWords) {
        for (int level = 0; level < LEVELS; level++) {
            planes[level] = new long[maxWords];
            carries[level][0] = new long[maxWords];
            carries[level][1] = new long[maxWords];
        }
    }

    @Override
    void start(int ofWords) {
        for (int level = 0; level < used; level++) {
            Arrays.fill(planes[level], 0, words, 0);
        }
        words = ofWords;
        used = 0;
        bitmaps = 0;
    }

    /** {@inheritDoc} They come before any bitmaps. */
    @Override
    void add(char[] ranks, int from, int to) {
        long[] p0 = planes[0];
        long[] p1 = planes[1];
        for (int i = from; i < to; i++) {
            int rank = ranks[i];
            int word = rank >>> 6;
            long bit = 1L << rank;
            long plane = p0[word];
            p0[word] = plane ^ bit;
            // Without a branch, which could not be predicted.
            long carry = plane & bit;
            plane = p1[word];
            p1[word] = plane ^ carry;
            if ((plane & carry) != 0) {
                carry(word, carry);
            }
        }
        used = Math.max(used, from < to ? 2 : 0);
    }

    /** From the second plane to those above it. */
    private void carry(int word, long bit) {
        int level = 1;
        long plane;
        do {
            level++;
            plane = planes[level][word];
            planes[level][word] = plane ^ bit;
        } while ((plane & bit) != 0);
        used = Math.max(used, level + 1);
    }

    /** Adds one to the counters whose bits are set in each of the first so many bitmaps; once, at the end. */
    void add(long[][] some, int count) {
        for (int i = 0; i < count; i++) {
            add(some[i]);
        }
        finish();
    }

    private void add(long[] bitmap) {
        bitmaps++;
        long[] more = bitmap;
        int level = 0;
        while (pending[level] != null) {
            long[] carry = carries[level + 1][pending[level + 1] == carries[level + 1][0] ? 1 : 0];
            addTwo(planes[level], pending[level], more, carry, words);
            pending[level++] = null;
            more = carry;
        }
        pending[level] = more;
    }

    /** Adds what is pending. */
    private void finish() {
        int most = (1 << used) - 1 + bitmaps;
        used = Math.min(PLANES, Integer.SIZE - Integer.numberOfLeadingZeros(most));
        long[] more = null;
        for (int level = 0; level < used; level++) {
            long[] first = pending[level] != null ? pending[level] : more;
            long[] second = pending[level] != null ? more : null;
            long[] carry = carries[level + 1][0];
            if (carry == pending[level + 1]) {
                carry = carries[level + 1][1];
            }
            if (second != null) {
                addTwo(planes[level], first, second, carry, words);
            } else if (first != null) {
                addOne(planes[level], first, carry, words);
            }
            more = first == null ? null : carry;
        }
        Arrays.fill(pending, null);
    }

    @Override
    int max() {
        return (1 << used) - 1;
    }

    @Override
    int find(int word, int endWord, int least) {
        int level = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(least);
        if (used - level <= 2) {
            return findRare(word, endWord, level);
        }
        // Counters have no bits in planes that are not used; few of them is the usual case.
        if (used <= 4) {
            return findInFour(word, endWord, least);
        }
        return used <= 8 ? findInEight(word, endWord, least) : findInAll(word, endWord, least);
    }

    private int findInAll(int word, int endWord, int least) {
        for (int i = word; i < endWord; i++) {
            if (atLeast(i, least) != 0) {
                return i;
            }
        }
        return endWord;
    }

    /**
     * Skips words without a bit in the planes that have one of each counter that is large enough: these are the
     * highest two at most.
     *
     * @param level the lower one of these planes
     */
    private int findRare(int word, int endWord, int level) {
        long[] low = planes[level];
        long[] high = planes[used - 1];
        for (int i = word; i < endWord; i++) {
            if ((low[i] | high[i]) != 0) {
                return i;
            }
        }
        return endWord;
    }

    private int findInFour(int word, int endWord, int least) {
        long[] p0 = planes[0];
        long[] p1 = planes[1];
        long[] p2 = planes[2];
        long[] p3 = planes[3];
        long n0 = need(least, 0);
        long n1 = need(least, 1);
        long n2 = need(least, 2);
        long n3 = need(least, 3);
        for (int i = word; i < endWord; i++) {
            long enough = p0[i] | ~n0;
            enough = enough(p1[i], n1, enough);
            enough = enough(p2[i], n2, enough);
            if (enough(p3[i], n3, enough) != 0) {
                return i;
            }
        }
        return endWord;
    }

    private int findInEight(int word, int endWord, int least) {
        long[] p0 = planes[0];
        long[] p1 = planes[1];
        long[] p2 = planes[2];
        long[] p3 = planes[3];
        long[] p4 = planes[4];
        long[] p5 = planes[5];
        long[] p6 = planes[6];
        long[] p7 = planes[7];
        long n0 = need(least, 0);
        long n1 = need(least, 1);
        long n2 = need(least, 2);
        long n3 = need(least, 3);
        long n4 = need(least, 4);
        long n5 = need(least, 5);
        long n6 = need(least, 6);
        long n7 = need(least, 7);
        for (int i = word; i < endWord; i++) {
            long enough = p0[i] | ~n0;
            enough = enough(p1[i], n1, enough);
            enough = enough(p2[i], n2, enough);
            enough = enough(p3[i], n3, enough);
            enough = enough(p4[i], n4, enough);
            enough = enough(p5[i], n5, enough);
            enough = enough(p6[i], n6, enough);
            if (enough(p7[i], n7, enough) != 0) {
                return i;
            }
        }
        return endWord;
    }

    @Override
    long atLeast(int word, int least) {
        long enough = -1;
        for (int level = 0; level < used; level++) {
            enough = enough(planes[level][word], need(least, level), enough);
        }
        return enough;
    }

    /** All bits of a plane of what is needed. */
    private static long need(int least, int level) {
        return -(least >>> level & 1L);
    }

    /** Where a plane has more than is needed, or the same and those below it have enough. */
    private static long enough(long plane, long need, long below) {
        return plane & ~need | (plane | ~need) & below;
    }

    @Override
    int get(int rank) {
        int count = 0;
        for (int level = 0; level < used; level++) {
            count |= (int) (planes[level][rank >>> 6] >>> rank & 1) << level;
        }
        return count;
    }

    // Loops of arrays alone, which the compiler makes vector instructions of.

    private static void addTwo(long[] plane, long[] first, long[] second, long[] carry, int words) {
        for (int i = 0; i < words; i++) {
            long x = plane[i];
            long y = first[i];
            long z = second[i];
            long u = x ^ y;
            carry[i] = x & y | u & z;
            plane[i] = u ^ z;
        }
    }

    private static void addOne(long[] plane, long[] more, long[] carry, int words) {
        for (int i = 0; i < words; i++) {
            long x = plane[i];
            long y = more[i];
            carry[i] = x & y;
            plane[i] = x ^ y;
        }
    }
}
