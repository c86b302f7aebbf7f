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

    private final int states;
    private long[] places = new long[1024];
    private int[] walkAt = new int[1024];
    private long base = 1;

    /** Log2 of the slots that stand for a position. */
    private int wayBits = 2;

    /** The longest walk whose places all fit, one in each position's slots. */
    private int reach = places.length >> wayBits;

    private int[] ends = new int[64];
    private int[] rules = new int[64];
    private int walks;

    WalkMemo(int states) {
        this.states = states;
    }

    /** Forgets the last row. */
    void reset(int lastLength) {
        walks = 0;
        base += (lastLength + 1L) * states;
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
        places = new long[slots];
        walkAt = new int[slots];
        wayBits = 4L * length <= slots ? 2 : 0;
        reach = slots >> wayBits;
        return true;
    }

    /** A new walk, whose end is not known yet. */
    int begin() {
        if (walks == ends.length) {
            ends = Arrays.copyOf(ends, 2 * walks);
            rules = Arrays.copyOf(rules, 2 * walks);
        }
        return walks++;
    }

    /** The walk that came through a state at a position, or {@link #NONE}; the place is now this walk's. */
    int visit(int walk, int state, int position) {
        int way = (state * 0x9E3779B9 >>> 30) & (1 << wayBits) - 1;
        int slot = (position << wayBits) + way & places.length - 1;
        long place = base + (long) position * states + state;
        if (places[slot] == place) {
            return walkAt[slot];
        }
        places[slot] = place;
        walkAt[slot] = walk;
        return NONE;
    }

    void finish(int walk, int end, int rule) {
        ends[walk] = end;
        rules[walk] = rule;
    }

    int end(int walk) {
        return ends[walk];
    }

    int rule(int walk) {
        return rules[walk];
    }
}
