package io.flinkgpu.text;

import org.apache.flink.annotation.Internal;

import java.util.List;

/** The matches of several parts of a rule set as those of the whole. Not thread-safe. */
@Internal
public final class MergedMatches implements Matches {

    /** The part has no more matches in the row. */
    private static final int NONE = Integer.MAX_VALUE;

    /** The part has to be asked for its next match. */
    private static final int PASSED = -1;

    private final Matches[] parts;
    private final int[] starts;
    private final int[] rules;

    /** Those that have the row. */
    private final int[] active;

    private int activeCount;
    private int current;
    private int start;

    /**
     * @param parts of which no two have a rule in common; who sets their rows is the caller
     */
    public MergedMatches(List<? extends Matches> parts) {
        this.parts = parts.toArray(Matches[]::new);
        this.starts = new int[this.parts.length];
        this.rules = new int[this.parts.length];
        this.active = new int[this.parts.length];
    }

    /** Begins a row; all parts have it already. */
    public void startRow() {
        activeCount = 0;
        for (int part = 0; part < parts.length; part++) {
            add(part);
        }
    }

    /** Begins a row that only some parts have. */
    void startRow(int[] withRow, int count) {
        activeCount = 0;
        for (int i = 0; i < count; i++) {
            add(withRow[i]);
        }
    }

    private void add(int part) {
        starts[part] = PASSED;
        active[activeCount++] = part;
    }

    @Override
    public boolean find(int from) {
        int least = NONE;
        for (int i = 0; i < activeCount; i++) {
            int part = active[i];
            if (starts[part] < from) {
                boolean found = parts[part].find(from);
                starts[part] = found ? parts[part].start() : NONE;
                rules[part] = found ? parts[part].rule() : NONE;
            }
            least = Math.min(least, starts[part]);
        }
        return least != NONE && choose(least);
    }

    @Override
    public boolean findLater() {
        if (parts[current].findLater()) {
            rules[current] = parts[current].rule();
        } else {
            starts[current] = PASSED;
        }
        return choose(start);
    }

    /** Chooses of the parts with a match at a start the one whose rule comes first. */
    private boolean choose(int at) {
        int first = NONE;
        for (int i = 0; i < activeCount; i++) {
            int part = active[i];
            if (starts[part] == at && rules[part] < first) {
                first = rules[part];
                current = part;
            }
        }
        start = at;
        return first != NONE;
    }

    @Override
    public int start() {
        return start;
    }

    @Override
    public int end() {
        return parts[current].end();
    }

    @Override
    public int rule() {
        return rules[current];
    }

    @Override
    public int replacedStart() {
        return parts[current].replacedStart();
    }

    @Override
    public int replacedEnd() {
        return parts[current].replacedEnd();
    }
}
