package io.flinkgpu.text.automaton;

import org.apache.flink.annotation.Internal;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Tells at a position of a row which rules have one of their {@link Literals} there, by one look-up of three bytes
 * for most positions. Where that is no answer, and many texts begin with these three bytes, those of six bytes or more
 * are found by six. Immutable.
 *
 * <pre>{@code
 * eight = the eight bytes from the position on, the first the lowest; 0 after the row's end
 * if (mayStart((int) eight))
 *     for (entry = first(eight); entry >= 0; entry = next(entry, eight))
 *         if (isAt(entry, eight, bytes left)) rules(entry)
 * }</pre>
 *
 * A rule's match then starts between {@link #maxLead} and {@link #minLead} bytes in front of the position.
 */
@Internal
public final class LiteralIndex implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int THREE = 0xffffff;
    private static final int FOLD_THREE = 0x202020;
    private static final long FOLD_EIGHT = 0x2020202020202020L;
    private static final long SIX = 0xffffffffffffL;
    private static final int SPREAD = 0x9e3779b1;
    private static final long SPREAD_SIX = 0x9e3779b97f4a7c15L;

    /** Bits of the hash of three bytes, or six. */
    public static final int HASH_BITS = 16;

    private static final int LONG_BYTES = 6;

    /** More with the same hash of three bytes are told apart by that of six. */
    private static final int MOST_OF_THREE = 2;

    /** The most texts that an index holds. */
    public static final int MAX_TEXTS = Character.MAX_VALUE - 2;

    /** No entry, or no further one. */
    public static final char NO_ENTRY = Character.MAX_VALUE;

    /** The next entry is that of the hash of six bytes. */
    public static final char LONG_ENTRY = Character.MAX_VALUE - 1;

    private final long[] bitmap = new long[1 << HASH_BITS - 6];
    private final char[] firstOf = new char[1 << HASH_BITS];
    private final char[] firstOfLong = new char[1 << HASH_BITS];
    private final char[] nextOf;
    private final long[] values;
    private final long[] masks;
    private final byte[] lengths;
    private final int[][] rulesOf;
    private final int[] minLead;
    private final int[] maxLead;

    /**
     * @param rules what each rule needs, {@link #MAX_TEXTS} together at most
     */
    public LiteralIndex(List<Literals> rules) {
        minLead = new int[rules.size()];
        maxLead = new int[rules.size()];
        Arrays.fill(minLead, Literals.UNBOUNDED);
        Map<String, List<Integer>> fragments = new LinkedHashMap<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            Literals literals = rules.get(rule);
            for (String text : literals.texts()) {
                int from = rarestFragment(text);
                String fragment = text.substring(from, Math.min(text.length(), from + Long.BYTES));
                List<Integer> with = fragments.computeIfAbsent(fragment, f -> new ArrayList<>());
                if (!with.contains(rule)) {
                    with.add(rule);
                }
                minLead[rule] = Math.min(minLead[rule], literals.minLead() + from);
                long most = (long) literals.maxLead() + from;
                maxLead[rule] = (int) Math.max(maxLead[rule], Math.min(Literals.UNBOUNDED, most));
            }
        }
        int entries = fragments.size();
        nextOf = new char[entries];
        values = new long[entries];
        masks = new long[entries];
        lengths = new byte[entries];
        rulesOf = new int[entries][];
        fill(fragments);
    }

    private void fill(Map<String, List<Integer>> fragments) {
        int[] ofThree = new int[firstOf.length];
        int entry = 0;
        for (Map.Entry<String, List<Integer>> fragment : fragments.entrySet()) {
            String text = fragment.getKey();
            for (int i = text.length() - 1; i >= 0; i--) {
                values[entry] = values[entry] << 8 | text.charAt(i);
                masks[entry] = masks[entry] << 8 | 0xff;
            }
            lengths[entry] = (byte) text.length();
            rulesOf[entry] = fragment.getValue().stream().mapToInt(Integer::intValue).toArray();
            int hash = hash((int) values[entry]);
            bitmap[hash >>> 6] |= 1L << hash;
            ofThree[hash]++;
            entry++;
        }
        Arrays.fill(firstOfLong, NO_ENTRY);
        for (int hash = 0; hash < ofThree.length; hash++) {
            firstOf[hash] = ofThree[hash] > MOST_OF_THREE ? LONG_ENTRY : NO_ENTRY;
        }
        for (entry = 0; entry < lengths.length; entry++) {
            int hash = hash((int) values[entry]);
            if (ofThree[hash] > MOST_OF_THREE && lengths[entry] >= LONG_BYTES) {
                link(entry, firstOfLong, hashOfSix(values[entry]));
            } else {
                link(entry, firstOf, hash);
            }
        }
    }

    private void link(int entry, char[] first, int hash) {
        nextOf[entry] = first[hash];
        first[hash] = (char) entry;
    }

    /** Where the part of a text begins whose first three bytes are rarest. */
    private static int rarestFragment(String text) {
        int last = text.length() - Literals.LEAST_BYTES;
        return IntStream.rangeClosed(0, last)
                .boxed()
                .min(Comparator.comparingDouble(from -> shareFrom(text, from)))
                .orElseThrow();
    }

    /** Three bytes must be rare, then all eight, and a start at the front is worth a little. */
    private static double shareFrom(String text, int from) {
        double three = Literals.share(text, from, from + Literals.LEAST_BYTES);
        return three + 0.2 * Math.sqrt(Literals.share(text, from, text.length())) + 1e-6 * from;
    }

    private static int hash(int bytes) {
        return (bytes & THREE) * SPREAD >>> 32 - HASH_BITS;
    }

    private static int hashOfSix(long bytes) {
        return (int) ((bytes & SIX) * SPREAD_SIX >>> Long.SIZE - HASH_BITS);
    }

    /** Whether a text may start with three bytes, the first the lowest; a fourth does not count. */
    public boolean mayStart(int bytes) {
        int hash = hash(bytes | FOLD_THREE);
        return (bitmap[hash >>> 6] >>> hash & 1) != 0;
    }

    /** The first entry of texts that may start where eight bytes do; -1 if there is none. */
    public int first(long eight) {
        return entry(firstOf[hash((int) eight | FOLD_THREE)], eight);
    }

    /** The next one; -1 if there is none. */
    public int next(int entry, long eight) {
        return entry(nextOf[entry], eight);
    }

    private int entry(char next, long eight) {
        char entry = next == LONG_ENTRY ? firstOfLong[hashOfSix(eight | FOLD_EIGHT)] : next;
        return entry == NO_ENTRY ? -1 : entry;
    }

    /** Whether an entry's text is where eight bytes start. */
    public boolean isAt(int entry, long eight, int bytesLeft) {
        return ((eight | FOLD_EIGHT) & masks[entry]) == values[entry]
                && lengths[entry] <= bytesLeft;
    }

    /** The rules that need an entry's text; not to be written to. */
    public int[] rules(int entry) {
        return rulesOf[entry];
    }

    /** The fewest bytes between the start of a rule's match and one of its texts. */
    public int minLead(int rule) {
        return minLead[rule];
    }

    /** The most bytes, {@link Literals#UNBOUNDED} if there is no limit. */
    public int maxLead(int rule) {
        return maxLead[rule];
    }

    /** A bit a hash, of {@link #mayStart}; not to be written to, like the other tables. */
    public long[] filter() {
        return bitmap;
    }

    /** The first entry of each hash of three bytes, {@link #LONG_ENTRY} or {@link #NO_ENTRY}. */
    public char[] firstEntries() {
        return firstOf;
    }

    /** The first entry of each hash of six bytes, or {@link #NO_ENTRY}. */
    public char[] firstLongEntries() {
        return firstOfLong;
    }

    /** The entry after another one of its hash, {@link #LONG_ENTRY} or {@link #NO_ENTRY}. */
    public char nextEntry(int entry) {
        return nextOf[entry];
    }

    /** How many entries there are. */
    public int entries() {
        return values.length;
    }

    /** An entry's text, folded, the first byte the lowest. */
    public long value(int entry) {
        return values[entry];
    }

    /** The bits of {@link #value} that count. */
    public long mask(int entry) {
        return masks[entry];
    }

    /** Bytes of an entry's text. */
    public int length(int entry) {
        return lengths[entry];
    }

    /** How many rules there are. */
    public int rules() {
        return minLead.length;
    }
}
