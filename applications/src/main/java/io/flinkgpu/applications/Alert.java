package io.flinkgpu.applications;

import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetMatches;

import java.util.Locale;

/**
 * A line resembles earlier ones.
 *
 * @param earlier the numbers of these lines, the most alike first, and the older of two that are equally so
 * @param scores of the same lines
 */
public record Alert(long number, long[] earlier, double[] scores) {

    /** The alert of a line; null if it resembles no other. */
    static Alert of(SearchResult<ShingledLine> result) {
        SetMatches matches = result.matches();
        if (matches.count() == 0) {
            return null;
        }
        long[] earlier = new long[matches.count()];
        double[] scores = new double[earlier.length];
        for (int i = 0; i < earlier.length; i++) {
            earlier[i] = matches.id(i);
            scores[i] = matches.score(i);
        }
        return new Alert(result.query().number(), earlier, scores);
    }

    /** Lines of the number, the earlier number and the score, with tabs between. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < earlier.length; i++) {
            text.append(
                    String.format(Locale.ROOT, "%d\t%d\t%.4f%n", number, earlier[i], scores[i]));
        }
        return text.toString();
    }
}
