package io.flinkgpu.text.fields;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a scanner finds in a record: its tokens in order, and the cuts that leave fields out. Reused for each record. */
@Internal
public final class Fields {

    /** What a token is. */
    public enum Kind {
        /** A name of a field. */
        KEY,
        /** A value in quotes; its bytes are without them. */
        QUOTED,
        /** A value without quotes: of JSON a number, true, false or null. */
        BARE,
        /** Of logfmt, what is neither a name nor its value. */
        WORD
    }

    /**
     * A token.
     *
     * @param from where it starts in the record
     * @param to where it ends
     * @param escaped whether there is a backslash in it
     * @param rules those that apply to it as a text of its own; null if none is bound to it
     */
    public record Token(Kind kind, int from, int to, boolean escaped, boolean[] rules) {}

    private static final int MEMBER_INTS = 3;

    private final List<Token> tokens = new ArrayList<>();

    /** Starts and ends of what is left out, in order and apart from each other once a record has ended. */
    private final List<int[]> cuts = new ArrayList<>();

    /** Of each member of the containers that are open: where it starts and ends, and whether it is left out. */
    private int[] members = new int[64 * MEMBER_INTS];

    private int memberCount;

    void clear() {
        tokens.clear();
        cuts.clear();
        memberCount = 0;
    }

    void add(Token token) {
        tokens.add(token);
    }

    /** A container begins; returns what {@link #endContainer} needs. */
    int startContainer() {
        return memberCount;
    }

    void addMember(int from, int to, boolean leftOut) {
        if ((memberCount + 1) * MEMBER_INTS > members.length) {
            members = Arrays.copyOf(members, 2 * members.length);
        }
        int at = MEMBER_INTS * memberCount++;
        members[at] = from;
        members[at + 1] = to;
        members[at + 2] = leftOut ? 1 : 0;
    }

    /** Cuts the members that are left out, each run of them with what separates it from its neighbours. */
    void endContainer(int first) {
        for (int i = first; i < memberCount; ) {
            int end = i;
            while (end < memberCount && members[MEMBER_INTS * end + 2] != 0) {
                end++;
            }
            if (end == i) {
                i++;
                continue;
            }
            if (end < memberCount) {
                cuts.add(new int[] {start(i), start(end)});
            } else if (i > first) {
                cuts.add(new int[] {end(i - 1), end(end - 1)});
            } else {
                cuts.add(new int[] {start(i), end(end - 1)});
            }
            i = end;
        }
        memberCount = first;
    }

    private int start(int member) {
        return members[MEMBER_INTS * member];
    }

    private int end(int member) {
        return members[MEMBER_INTS * member + 1];
    }

    /** Puts cuts in order, and leaves out those within others. */
    void endRecord() {
        cuts.sort(
                (a, b) -> a[0] != b[0] ? Integer.compare(a[0], b[0]) : Integer.compare(b[1], a[1]));
        int reach = 0;
        int count = 0;
        for (int[] cut : cuts) {
            if (cut[1] > reach) {
                cuts.set(count++, new int[] {Math.max(cut[0], reach), cut[1]});
                reach = cut[1];
            }
        }
        cuts.subList(count, cuts.size()).clear();
    }

    /** The tokens, in order. */
    public List<Token> tokens() {
        return tokens;
    }

    /** Starts and ends of what is left out, in order. */
    public List<int[]> cuts() {
        return cuts;
    }
}
