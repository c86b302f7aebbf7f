package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Known test values of a rule, and what else it leaves alone. The rule leaves a match alone that equals one of the
 * values, starts with one of the prefixes, holds one of the stop words, or is kept by a pattern, and what else it finds
 * within it; other rules do not. Values, prefixes and stop words are compared byte for byte in UTF-8, stop words but
 * for the case of ASCII letters. Of a rule with a group it is the group's text that is compared. Immutable.
 *
 * @param values whole texts
 * @param prefixes their first characters
 * @param stopWords parts of them; a text of more than {@value #MAX_SEARCHED_BYTES} bytes is not kept by these
 * @param patterns regular expressions that are found in them, or around them
 */
@PublicEvolving
public record AllowList(
        List<String> values, List<String> prefixes, List<String> stopWords, List<Pattern> patterns)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The longest match that stop words and patterns look at, but for patterns of the record. */
    public static final int MAX_SEARCHED_BYTES = 1_024;

    /** Keeps nothing. */
    public static final AllowList EMPTY = new AllowList(List.of(), List.of());

    /** Where a pattern is looked for; its {@code ^} and {@code $} are the ends of that text. */
    public enum Target {
        /** What would be replaced: the rule's group, or the whole match. */
        SECRET,
        /** The whole match. */
        MATCH,
        /** The whole match, and of what is in front of it up to 50 ASCII letters, digits, {@code _}, {@code .}, {@code -}. */
        MATCH_AND_LEAD,
        /** The record. */
        RECORD
    }

    /**
     * A regular expression that keeps the matches in whose target it is found.
     *
     * @param regex of the syntax that rules have; it is checked when the rule set is compiled
     * @param target where it is looked for
     */
    public record Pattern(String regex, Target target) implements Serializable {

        private static final long serialVersionUID = 1L;

        public Pattern {
            Errors.present("regex", regex);
            Errors.present("target", target);
        }
    }

    public AllowList {
        values = List.copyOf(Errors.present("values", values));
        prefixes = List.copyOf(Errors.present("prefixes", prefixes));
        stopWords = List.copyOf(Errors.present("stopWords", stopWords));
        patterns = List.copyOf(Errors.present("patterns", patterns));
        if (values.contains("") || prefixes.contains("") || stopWords.contains("")) {
            throw Errors.argument(
                    "an allow list's entries must not be empty: values=%s, prefixes=%s, stopWords=%s",
                    values, prefixes, stopWords);
        }
        values.forEach(AllowList::requireUnicode);
        prefixes.forEach(AllowList::requireUnicode);
        stopWords.forEach(AllowList::requireUnicode);
    }

    /** Of values and prefixes alone. */
    public AllowList(List<String> values, List<String> prefixes) {
        this(values, prefixes, List.of(), List.of());
    }

    /** In UTF-8 an unpaired surrogate would become a question mark, which would be kept. */
    static void requireUnicode(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                    "words and an allow list's entries must be Unicode, without unpaired surrogates");
        }
    }

    /** Exact values. */
    public static AllowList ofValues(String... values) {
        return new AllowList(List.of(Errors.present("values", values)), List.of());
    }

    /** Prefixes. */
    public static AllowList ofPrefixes(String... prefixes) {
        return new AllowList(List.of(), List.of(Errors.present("prefixes", prefixes)));
    }

    /** Stop words. */
    public static AllowList ofStopWords(String... stopWords) {
        return new AllowList(
                List.of(), List.of(), List.of(Errors.present("stopWords", stopWords)), List.of());
    }

    /** The same list with one more pattern. */
    public AllowList withPattern(String regex, Target target) {
        List<Pattern> all = new ArrayList<>(patterns);
        all.add(new Pattern(regex, target));
        return new AllowList(values, prefixes, stopWords, all);
    }

    /** Whether it keeps nothing. */
    public boolean isEmpty() {
        return values.isEmpty() && prefixes.isEmpty() && stopWords.isEmpty() && patterns.isEmpty();
    }
}
