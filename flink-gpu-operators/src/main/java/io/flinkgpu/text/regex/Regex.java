package io.flinkgpu.text.regex;

import org.apache.flink.annotation.Internal;

import java.util.List;

/** A parsed regular expression. Flags are worked in. */
@Internal
public sealed interface Regex {

    /** Whether it can match the empty string, assertions taken as true. */
    default boolean nullable() {
        return minLength() == 0;
    }

    /** The fewest code points a match has; saturates. */
    long minLength();

    /** One code point of a set. */
    record Chars(CodePointSet set) implements Regex {

        /** Stands where a construct was refused, so that parsing goes on. */
        public static final Regex NOTHING = new Chars(CodePointSet.EMPTY);

        @Override
        public long minLength() {
            return 1;
        }
    }

    /** Parts one after another. */
    record Concat(List<Regex> parts) implements Regex {

        /** Matches the empty string. */
        public static final Regex EMPTY = new Concat(List.of());

        @Override
        public long minLength() {
            long length = 0;
            for (Regex part : parts) {
                length = Math.min(MANY, length + part.minLength());
            }
            return length;
        }
    }

    /** One of several, the earlier preferred. */
    record Alternate(List<Regex> options) implements Regex {
        @Override
        public long minLength() {
            long length = MANY;
            for (Regex option : options) {
                length = Math.min(length, option.minLength());
            }
            return length;
        }
    }

    /**
     * A capturing group.
     *
     * @param number from 1 on, in the order of opening parentheses
     * @param name null if it has none
     */
    record Group(int number, String name, Regex body) implements Regex {
        @Override
        public long minLength() {
            return body.minLength();
        }
    }

    /** {@code min} to {@code max} times; {@link #UNBOUNDED} is no upper limit. */
    record Repeat(Regex body, int min, int max, boolean greedy) implements Regex {
        public static final int UNBOUNDED = Integer.MAX_VALUE;

        @Override
        public long minLength() {
            return min == 0 ? 0 : Math.min(MANY, min * body.minLength());
        }
    }

    /** An assertion, with its text and index in the rule for error messages. */
    record Look(Kind kind, String text, int index) implements Regex {
        /** What is asserted. */
        public enum Kind {
            /** {@code ^ \A}. */
            BEGIN,
            /** {@code \z}. */
            END,
            /** {@code $ \Z}. */
            DOLLAR,
            /** {@code $ \Z} under {@code (?d)}: only {@code \n} is a line terminator. */
            UNIX_DOLLAR,
            /** {@code $} under {@code (?m)}: before any line terminator too. */
            LINE_END,
            /** {@code \b}. */
            WORD_BOUNDARY,
            /** {@code \B}. */
            NOT_WORD_BOUNDARY
        }

        @Override
        public long minLength() {
            return 0;
        }
    }

    /**
     * That a neighbour, the code point in front or the one that follows, is of a set. The set holds all
     * code points outside ASCII or none, so that the neighbouring byte tells.
     *
     * @param behind whether it is the one in front
     * @param orEdge whether the text may also start or end there
     */
    record Neighbor(boolean behind, CodePointSet set, boolean orEdge) implements Regex {
        @Override
        public long minLength() {
            return 0;
        }
    }

    /** Where lengths saturate. */
    long MANY = Integer.MAX_VALUE;
}
