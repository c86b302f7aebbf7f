package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.List;

/**
 * Words of which one must be near a rule's match, or anywhere in its record, for the match to count. Without it the
 * match is none, as after a validator's "no". Words are compared byte for byte in UTF-8, but for the case of ASCII
 * letters, and are no words of their own: {@code key} is also in {@code monkey}. Immutable.
 *
 * @param words of which one is needed, none of them empty; an empty list asks for none
 * @param before in how many characters in front of the match a whole word may stand, 0 to {@value #MAX_CHARS}; a
 *     byte that is no UTF-8 counts as a character; or {@link #RECORD}
 * @param after in how many characters behind the match, likewise; {@link #RECORD} if {@code before} is
 */
@PublicEvolving
public record Context(List<String> words, int before, int after) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Anywhere in the record, the match included. */
    public static final int RECORD = -1;

    /** The most characters in front of a match or behind it. */
    public static final int MAX_CHARS = 1_000;

    /** Asks for nothing. */
    public static final Context NONE = new Context(List.of(), RECORD, RECORD);

    public Context {
        words = List.copyOf(Errors.present("words", words));
        if (words.contains("")) {
            throw Errors.argument("a context's words must not be empty: words=%s", words);
        }
        words.forEach(AllowList::requireUnicode);
        boolean near = isDistance(before) && isDistance(after) && before + after > 0;
        if (!near && (before != RECORD || after != RECORD)) {
            throw Errors.argument(
                    "a context is 0 to %s characters in front and behind, not both 0, or the record:"
                            + " before=%s, after=%s",
                    MAX_CHARS, before, after);
        }
    }

    private static boolean isDistance(int characters) {
        return characters >= 0 && characters <= MAX_CHARS;
    }

    /** One of these words is anywhere in the record. */
    public static Context inRecord(String... words) {
        return new Context(List.of(Errors.present("words", words)), RECORD, RECORD);
    }

    /** One of these words is within so many characters in front of the match, or behind it. */
    public static Context near(int before, int after, String... words) {
        return new Context(List.of(Errors.present("words", words)), before, after);
    }

    /** Whether it asks for nothing. */
    public boolean isEmpty() {
        return words.isEmpty();
    }
}
