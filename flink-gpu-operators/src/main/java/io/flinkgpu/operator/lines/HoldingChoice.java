package io.flinkgpu.operator.lines;

/**
 * Whether lines that a backend did not group are added to the groups that are held, or sent as they are
 * because too few of them find theirs there. Measured in samples; where it does not pay, lines are sent for
 * a while, and then it is tried again. That changes the cost, never the results. Task thread only.
 */
final class HoldingChoice {

    /** Lines in a sample. */
    static final int SAMPLE_LINES = 1 << 16;

    /** Lines that are sent for each line that was held in vain; twice as many each time in a row. */
    static final int SENT_LINES = 16;

    /** At most. */
    static final int MAX_SENT_LINES = 128;

    /** One of so many lines has to find its group, which saves what the others cost more. */
    private static final int ENOUGH = 2;

    /** Of the first sample so many times fewer: there are few groups yet. */
    private static final int AT_FIRST = 32;

    private long toSend;
    private int nextSent = SENT_LINES;

    /** Of the sample that is taken. */
    private int lines;

    private int found;

    /** Since groups were sent. */
    private int samples;

    /** Of these samples that were good enough. */
    private long linesHeld;

    private long linesFound;

    /** Whether the next lines are to be added to groups. */
    boolean holds() {
        return toSend == 0;
    }

    /**
     * Notes lines that were searched for among the groups.
     *
     * @param moreFound how many of them found theirs
     * @param isFull whether there is no room for more groups
     */
    void held(int moreLines, int moreFound, boolean isFull) {
        lines += moreLines;
        found += moreFound;
        if (lines < SAMPLE_LINES) {
            return;
        }
        samples++;
        linesHeld += lines;
        linesFound += found;
        // If keys are as frequent as each other, the share that is found grows as the groups do.
        int times = isFull ? AT_FIRST / ENOUGH : Math.min(samples, AT_FIRST / ENOUGH);
        if ((long) found * AT_FIRST < (long) lines * times) {
            sendNext(samples * (long) SAMPLE_LINES);
        } else if ((long) found * ENOUGH >= lines) {
            nextSent = SENT_LINES;
        }
        lines = 0;
        found = 0;
    }

    /** Notes that groups were sent: those that are held from now on are new ones. */
    void groupsSent() {
        if (linesFound * ENOUGH < linesHeld) {
            sendNext(linesHeld);
        }
        samples = 0;
        linesHeld = 0;
        linesFound = 0;
    }

    private void sendNext(long inVain) {
        toSend = nextSent * inVain;
        nextSent = Math.min(2 * nextSent, MAX_SENT_LINES);
        linesHeld = 0;
        linesFound = 0;
    }

    /** Notes lines that were sent. */
    void sent(int moreLines) {
        toSend = Math.max(0, toSend - moreLines);
    }
}
