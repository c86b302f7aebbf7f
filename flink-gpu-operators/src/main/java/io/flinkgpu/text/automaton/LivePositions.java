package io.flinkgpu.text.automaton;

import java.util.Arrays;

/**
 * From which states a match can be reached at each position of a row, found in one pass from its end to
 * its start. The row is cut into segments, of which two neighbours at a time have their sets; the others
 * keep the set after their end, to start again from. So what is kept for a position is a bit and little
 * more, and a walk that crosses the border of two segments again and again computes neither again. Not
 * thread-safe.
 */
final class LivePositions {

    /** 256 KiB of sets for each of two segments. */
    static final int SEGMENT_POSITIONS = 1 << 16;

    /** A row of 1 MiB. What longer ones needed is given back. */
    private static final int KEPT_WORDS = 1 << 14;

    /** Of a segment, of which a matcher of each rule may have two. */
    private static final int KEPT_POSITIONS = 1 << 12;

    private final Nfa nfa;
    private final SymbolKinds contexts;
    private final int segmentPositions;
    private final int setWords;

    private byte[] row;
    private int length;

    private final Segment even;
    private Segment odd;
    private Segment current;

    /** Ends of segments, from the row's end to its start, and the set at each. */
    private int[] ends = new int[4];

    private long[] setsAtEnds;
    private int segments;

    /** A bit a position: whether a match starts there. */
    private long[] starts = new long[4];

    /**
     * @param segmentPositions the most positions of a segment
     */
    LivePositions(Nfa nfa, LiveSets sets, int segmentPositions) {
        this.nfa = nfa;
        this.contexts = SymbolKinds.inFront(nfa);
        this.segmentPositions = segmentPositions;
        this.setWords = sets.words();
        this.even = new Segment(sets);
        this.setsAtEnds = new long[ends.length * setWords];
    }

    /** Goes over a row from its end to its start; it must not change until {@link #release}. */
    void reset(byte[] nextRow, int nextLength) {
        row = nextRow;
        length = nextLength;
        int words = length / 64 + 1;
        if (starts.length < words) {
            starts = new long[Math.max(words, Math.min(2 * starts.length, KEPT_WORDS))];
        }
        Arrays.fill(starts, 0, words, 0);
        segments = 0;
        even.forget();
        if (odd != null) {
            odd.forget();
        }
        scan();
    }

    private void scan() {
        int set = LiveSets.NONE;
        current = begin(length + 1, even.sets, set);
        for (int at = length; at >= 0; at--) {
            if (at % Cancellation.INTERVAL == 0) {
                Cancellation.check();
            }
            int before = LiveSets.FULL;
            if (current.to - at <= segmentPositions) {
                before = current.step(set, at);
                if (before == LiveSets.FULL) {
                    set = next(at + 1, set, true);
                    before = current.step(set, at);
                }
            } else {
                set = next(at + 1, set, false);
                before = current.step(set, at);
                if (before == LiveSets.FULL) {
                    set = current.restart();
                    before = current.step(set, at);
                }
            }
            set = before;
            current.put(at, set);
            if (current.sets.holds(set, nfa.start())) {
                starts[at >> 6] |= 1L << at;
            }
        }
    }

    /** Ends the segment at hand, and begins the one before it; returns the set to go on from. */
    private int next(int end, int set, boolean clear) {
        current = begin(end, current.sets, set);
        return clear ? current.restart() : current.start();
    }

    private Segment begin(int end, LiveSets sets, int setAtEnd) {
        if (segments == ends.length) {
            ends = Arrays.copyOf(ends, 2 * segments);
            setsAtEnds = Arrays.copyOf(setsAtEnds, 2 * setsAtEnds.length);
        }
        ends[segments] = end;
        sets.copy(setAtEnd, setsAtEnds, segments * setWords);
        Segment segment = place(segments);
        segment.begin(segments++);
        return segment;
    }

    /** Neighbours are in two places. */
    private Segment place(int segment) {
        if ((segment & 1) == 0) {
            return even;
        }
        if (odd == null) {
            odd = new Segment(even.sets.another());
        }
        return odd;
    }

    /** Whether a match can be reached from a state at a position. */
    boolean isLive(int state, int position) {
        if (!current.has(position)) {
            current = load(position);
        }
        return current.sets.holds(current.setAt(position), state);
    }

    private Segment load(int position) {
        int segment = segments - 1;
        while (ends[segment] <= position) {
            segment--;
        }
        Segment place = place(segment);
        if (!place.has(position)) {
            Cancellation.check();
            place.fill(segment);
        }
        return place;
    }

    /** The first position at which a match starts, {@code from} or after it; -1 if there is none. */
    int nextStart(int from) {
        if (from > length) {
            return -1;
        }
        int word = from >> 6;
        long bits = starts[word] & -1L << from;
        while (bits == 0) {
            if (++word > length >> 6) {
                return -1;
            }
            bits = starts[word];
        }
        return word * 64 + Long.numberOfTrailingZeros(bits);
    }

    /** Forgets the row, and gives back the memory that a long one needed. */
    void release() {
        row = null;
        even.release();
        if (odd != null) {
            odd.release();
        }
        if (starts.length > KEPT_WORDS) {
            starts = new long[4];
        }
        if (setsAtEnds.length > KEPT_WORDS) {
            ends = new int[4];
            setsAtEnds = new long[ends.length * setWords];
        }
    }

    /** Bytes of memory that grew with rows. */
    long heldBytes() {
        return (long) Long.BYTES * (starts.length + setsAtEnds.length)
                + Integer.BYTES * (ends.length + even.setAt.length)
                + even.sets.heldBytes()
                + (odd == null ? 0 : odd.sets.heldBytes() + Integer.BYTES * odd.setAt.length)
                + (row == null ? 0 : row.length);
    }

    /** A place for the sets of a segment, {@code [from, to)}. */
    private final class Segment {

        private final LiveSets sets;

        /** From the segment's end to its start. */
        private int[] setAt = new int[256];

        private int number;
        private int from;
        private int to;

        Segment(LiveSets sets) {
            this.sets = sets;
        }

        void forget() {
            from = 0;
            to = 0;
        }

        void release() {
            if (setAt.length > KEPT_POSITIONS) {
                setAt = new int[256];
            }
        }

        void begin(int segment) {
            number = segment;
            to = ends[segment];
            from = to;
        }

        boolean has(int position) {
            return position >= from && position < to;
        }

        int setAt(int position) {
            return setAt[to - 1 - position];
        }

        void put(int position, int set) {
            int index = to - 1 - position;
            if (index == setAt.length) {
                setAt = Arrays.copyOf(setAt, 2 * index);
            }
            setAt[index] = set;
            from = position;
        }

        /** The set after the end, among those that are kept of segments before. */
        int start() {
            int set = sets.restore(setsAtEnds, number * setWords);
            return set == LiveSets.FULL ? restart() : set;
        }

        /** The set after the end, with no other kept: what a segment needs has room then. */
        int restart() {
            sets.clear();
            return sets.restore(setsAtEnds, number * setWords);
        }

        void fill(int segment) {
            begin(segment);
            int first = segment == segments - 1 ? 0 : ends[segment + 1];
            if (!fill(start(), first)) {
                fill(restart(), first);
            }
        }

        private boolean fill(int setAtEnd, int first) {
            int set = setAtEnd;
            for (int at = to - 1; at >= first; at--) {
                set = step(set, at);
                if (set == LiveSets.FULL) {
                    return false;
                }
                put(at, set);
            }
            return true;
        }

        int step(int next, int at) {
            int symbol = at < length ? sets.symbolOf(row[at] & 0xff) : sets.endSymbol();
            int context = contexts.of(at == 0 ? Dfa.NOTHING : row[at - 1] & 0xff);
            return sets.step(next, symbol, context);
        }
    }
}
