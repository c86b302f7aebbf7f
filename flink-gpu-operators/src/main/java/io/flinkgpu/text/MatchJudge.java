package io.flinkgpu.text;

import io.flinkgpu.api.RuleSet;

/** Decides what becomes of a match: validators and allow lists. Not thread-safe. */
public final class MatchJudge {

    /** Redact the match. */
    public static final int REDACT = 0;

    /** Keep the match and go on behind it: it is on the rule's allow list. */
    public static final int KEEP = 1;

    /** No match: the validator says no. Go on at the next code point. */
    public static final int REJECT = 2;

    public MatchJudge(RuleSet rules) {}

    /** Whether a rule's matches need judging at all; if not, every match is {@link #REDACT}. */
    public boolean judges(int rule) {
        throw new UnsupportedOperationException();
    }

    /** The verdict on the match of a rule: {@code bytes[from, to)}. The validator is asked first. */
    public int judge(int rule, byte[] bytes, int from, int to) {
        throw new UnsupportedOperationException();
    }
}
