package io.flinkgpu.operator.window.local;

import java.util.Arrays;

/**
 * Merges the sessions of a batch's records as far as is cheap: sessions of one key that are given
 * different numbers may touch, and are merged where all sessions of the key are. Task thread only.
 */
final class LocalSessions {

    /** How many of a key's sessions are tried; more are there if records are far out of order. */
    private static final int MAX_TRIES = 4;

    private static final int NONE = -1;

    private long[] starts = new long[64];
    private long[] ends = new long[64];

    /** For each session its key, and the key's session before it. */
    private int[] keyIds = new int[64];

    private int[] previous = new int[64];
    private int sessions;

    /** For each key its last session; left over from batches before if that session has another key. */
    private int[] lastOfKey = new int[64];

    /**
     * Adds the session that a record alone would make.
     *
     * @return the number of the session that it is part of now
     */
    int add(int keyId, long startMillis, long endMillis) {
        int last = lastOf(keyId);
        int session = last;
        for (int i = 0; i < MAX_TRIES && session != NONE; i++) {
            if (startMillis <= ends[session] && starts[session] <= endMillis) {
                starts[session] = Math.min(starts[session], startMillis);
                ends[session] = Math.max(ends[session], endMillis);
                return session;
            }
            session = previous[session];
        }
        return begin(keyId, last, startMillis, endMillis);
    }

    /** The sessions, two numbers each: start and end. Forgets them. */
    long[] take() {
        long[] spans = new long[2 * sessions];
        for (int i = 0; i < sessions; i++) {
            spans[2 * i] = starts[i];
            spans[2 * i + 1] = ends[i];
        }
        sessions = 0;
        return spans;
    }

    private int lastOf(int keyId) {
        if (keyId >= lastOfKey.length) {
            lastOfKey = Arrays.copyOf(lastOfKey, Math.max(keyId + 1, 2 * lastOfKey.length));
        }
        int last = lastOfKey[keyId];
        return last < sessions && keyIds[last] == keyId ? last : NONE;
    }

    private int begin(int keyId, int last, long startMillis, long endMillis) {
        if (sessions == starts.length) {
            starts = Arrays.copyOf(starts, 2 * sessions);
            ends = Arrays.copyOf(ends, 2 * sessions);
            keyIds = Arrays.copyOf(keyIds, 2 * sessions);
            previous = Arrays.copyOf(previous, 2 * sessions);
        }
        starts[sessions] = startMillis;
        ends[sessions] = endMillis;
        keyIds[sessions] = keyId;
        previous[sessions] = last;
        lastOfKey[keyId] = sessions;
        return sessions++;
    }
}
