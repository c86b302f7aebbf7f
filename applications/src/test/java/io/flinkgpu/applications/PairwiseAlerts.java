package io.flinkgpu.applications;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** The alerts that lines must give: each is compared with all before it, by shingles of words as texts. */
final class PairwiseAlerts {

    private record Match(int line, int common, int of) {}

    private final int shingle;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<int[]> lines = new ArrayList<>();

    PairwiseAlerts(int shingle) {
        this.shingle = shingle;
    }

    void add(String text) {
        List<String> words =
                Arrays.stream(text.split("[^\\p{L}\\p{M}\\p{Nd}]+"))
                        .filter(word -> !word.isEmpty())
                        .map(word -> word.toLowerCase(Locale.ROOT))
                        .toList();
        lines.add(
                IntStream.rangeClosed(0, words.size() - shingle)
                        .mapToObj(i -> String.join("\n", words.subList(i, i + shingle)))
                        .mapToInt(joined -> numbers.computeIfAbsent(joined, any -> numbers.size()))
                        .sorted()
                        .distinct()
                        .toArray());
    }

    List<String> alerts(int keep, double minScore, int k) {
        List<String> alerts = new ArrayList<>();
        for (int line = 0; line < lines.size(); line++) {
            List<Match> matches = new ArrayList<>();
            for (int earlier = Math.max(0, line - keep); earlier < line; earlier++) {
                int common = common(lines.get(line), lines.get(earlier));
                int of = lines.get(line).length + lines.get(earlier).length - common;
                if (common > 0 && (double) common / of >= minScore) {
                    matches.add(new Match(earlier, common, of));
                }
            }
            int number = line + 1;
            matches.stream()
                    .sorted(
                            Comparator.<Match>comparingDouble(match -> -score(match))
                                    .thenComparingInt(Match::line))
                    .limit(k)
                    .map(
                            match ->
                                    String.format(
                                            Locale.ROOT,
                                            "%d\t%d\t%.4f",
                                            number,
                                            match.line + 1,
                                            score(match)))
                    .forEach(alerts::add);
        }
        return alerts;
    }

    private static double score(Match match) {
        return (double) match.common / match.of;
    }

    private static int common(int[] one, int[] other) {
        int common = 0;
        for (int i = 0, j = 0; i < one.length && j < other.length; ) {
            int order = Integer.compare(one[i], other[j]);
            common += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return common;
    }
}
