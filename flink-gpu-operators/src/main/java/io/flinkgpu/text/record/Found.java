package io.flinkgpu.text.record;

/**
 * A place in a record that is replaced, and what was found there.
 *
 * @param from where it starts in the record
 * @param to where it ends
 * @param rule the rule that replaces it
 * @param text what that rule's match is a part of
 * @param matchFrom where the match, or the group of it that is replaced, starts in the text
 * @param matchTo where that ends
 * @param alone whether it is a match in no view, and no other one makes it larger
 */
record Found(
        int from, int to, int rule, RecordText text, int matchFrom, int matchTo, boolean alone) {

    /** A match before it is known what overlaps it. */
    static Found of(int rule, RecordText text, int matchFrom, int matchTo) {
        return new Found(
                text.start(matchFrom),
                text.end(matchTo - 1),
                rule,
                text,
                matchFrom,
                matchTo,
                text.chain() == null);
    }

    /** Both as one, of which the rule with the higher priority replaces the whole; at equal ones, this. */
    Found and(Found other) {
        Found first = other.rule < rule ? other : this;
        int start = Math.min(from, other.from);
        int end = Math.max(to, other.to);
        return new Found(
                start,
                end,
                first.rule,
                first.text,
                first.matchFrom,
                first.matchTo,
                first.alone && first.from == start && first.to == end);
    }
}
