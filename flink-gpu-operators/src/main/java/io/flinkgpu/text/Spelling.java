package io.flinkgpu.text;

import org.apache.flink.annotation.Internal;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a mistyped one was probably meant to be. */
@Internal
public final class Spelling {

    private Spelling() {}

    /**
     * The known word that the fewest edits make of a word: the first of several, none if all are far off. Case, hyphens,
     * underscores and blanks do not count.
     */
    public static Optional<String> nearest(String word, Collection<String> known) {
        String folded = fold(word);
        Optional<String> nearest = Optional.empty();
        int tooFar = Math.max(2, (folded.length() + 1) / 3) + 1;
        for (String candidate : known) {
            String other = fold(candidate);
            int distance = distance(folded, other);
            // As many edits as letters would make any word of any other.
            if (distance < tooFar && distance < other.length()) {
                nearest = Optional.of(candidate);
                tooFar = distance;
            }
        }
        return nearest;
    }

    private static String fold(String word) {
        return word.toLowerCase(Locale.ROOT).replaceAll("[_ -]", "");
    }

    /** Edit distance (Levenshtein, 1966). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
