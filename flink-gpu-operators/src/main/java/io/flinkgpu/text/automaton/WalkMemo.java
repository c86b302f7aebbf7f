package io.flinkgpu.text.automaton;

import java.util.Arrays;

/**
 * Remembers how walks over one row ended, by the places they came through: a state at a position. It
 * forgets a place when another takes its slot. Not thread-safe.
 */
final class WalkMemo {

    /** No walk is known. */
    static final int NONE = -1;

    private static final int MAX_SLOTS = 1 << 22;
    private static final int MIN_SLOTS = 1 << 10;
    private static final int MIN_WALKS = 1 << 6;

    /** 768 KiB of places. What long walks needed is given back. */
    private static final int KEPT_SLOTS = 1 << 16;

    private final int states;
    private long[] places;
    private int[] walkAt;
    private long base = 1;

    /** Log2 of the slots that stand for a position. */
    private int wayBits;

    /** The longest walk whose places all fit, one in each position's slots. */
    private int reach;

    private int[] ends = new int[MIN_WALKS];
    private int[] rules = new int[MIN_WALKS];
    private int[] opens = new int[MIN_WALKS];
    private int[] closes = new int[MIN_WALKS];
    private int walks;
    private int length;

    WalkMemo(int states) {
        this.states = states;
        allocate(MIN_SLOTS, 2);
    }

    private void allocate(int slots, int ways) {
        places = new long[slots];
        walkAt = new int[slots];
        wayBits = ways;
        reach = slots >> ways;
    }

    /** Gives back the memory that the last row needed, if that was much. */
    void release() {
        if (places.length > KEPT_SLOTS) {
            allocate(MIN_SLOTS, 2);
        }
        if (ends.length > KEPT_SLOTS) {
            ends = new int[MIN_WALKS];
            rules = new int[MIN_WALKS];
            opens = new int[MIN_WALKS];
            closes = new int[MIN_WALKS];
            walks = 0;
        }
    }

    /** Bytes of memory that grew with rows. */
    long heldBytes() {
        return (Long.BYTES + Integer.BYTES) * (long) places.length
                + 4L * Integer.BYTES * ends.length;
    }

    /** Forgets the last row; the next one has this length. */
    void reset(int nextLength) {
        forget();
        length = nextLength;
    }

    private void forget() {
        walks = 0;
        base += (length + 1L) * states;
        if (base > Long.MAX_VALUE / 2) {
            Arrays.fill(places, 0);
            base = 1;
        }
    }

    /**
     * Makes room for walks of this length.
     *
     * @return whether all places were forgotten
     */
    boolean ensureRoom(int length) {
        if (length <= reach || wayBits == 0) {
            return false;
        }
        int slots = Integer.highestOneBit((int) Math.min(MAX_SLOTS, 8L * length));
        allocate(slots, 4L * length <= slots ? 2 : 0);
        return true;
    }

    /** A new walk, whose end is not known yet. */
    int begin() {
        if (walks == MAX_SLOTS) {
            forget();
        }
        if (walks == ends.length) {
            ends = Arrays.copyOf(ends, 2 * walks);
            rules = Arrays.copyOf(rules, 2 * walks);
            opens = Arrays.copyOf(opens, 2 * walks);
            closes = Arrays.copyOf(closes, 2 * walks);
        }
        return walks++;
    }

    /** The walk that came through a state at a position, or {@link #NONE}; the place is now this walk's. */
    int visit(int walk, int state, int position) {
        int ways = 1 << wayBits;
        int first = position << wayBits & places.length - 1;
        long none = base + (long) position * states;
        long place = none + state;
        int slot = first + ((state * 0x9E3779B9 >>> 30) & ways - 1);
        for (int i = first + ways - 1; i >= first; i--) {
            if (places[i] == place) {
                return walkAt[i];
            }
            if (places[i] < none || places[i] >= none + states) {
                slot = i;
            }
        }
        places[slot] = place;
        walkAt[slot] = walk;
        return NONE;
    }

    /**
     * Ends a walk.
     *
     * @param open where the rule's group starts that was entered last, or -1
     * @param close where the one ends that was left last, or -1
     */
    void finish(int walk, int end, int rule, int open, int close) {
        ends[walk] = end;
        rules[walk] = rule;
        opens[walk] = open;
        closes[walk] = close;
    }

    int open(int walk) {
        return opens[walk];
    }

    int close(int walk) {
        return closes[walk];
    }

    int end(int walk) {
        return ends[walk];
    }

    int rule(int walk) {
        return rules[walk];
    }
}
