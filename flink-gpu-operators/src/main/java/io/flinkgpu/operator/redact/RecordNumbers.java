package io.flinkgpu.operator.redact;

import java.util.ArrayDeque;

/**
 * Numbers records from 1 as they are received, and tells those that were accepted their numbers again as they
 * are emitted, in order. Refused ones are not emitted; of them only those are kept that came after a record
 * which is still to be emitted.
 */
final class RecordNumbers {

    private final ArrayDeque<Long> refused = new ArrayDeque<>();
    private long received;
    private long emitted;

    /** A record is received that will be emitted. */
    void accepted() {
        received++;
    }

    /** A record is received that will not be emitted; returns its number. */
    long refused() {
        refused.add(++received);
        skipRefused();
        return received;
    }

    /** The next accepted record is emitted; returns its number. */
    long next() {
        emitted++;
        long number = emitted;
        skipRefused();
        return number;
    }

    private void skipRefused() {
        while (!refused.isEmpty() && refused.peek() == emitted + 1) {
            refused.remove();
            emitted++;
        }
    }

    /** How many refused ones are kept. */
    int kept() {
        return refused.size();
    }
}
