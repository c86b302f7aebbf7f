package io.flinkgpu.applications;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Compares a query with all documents, one by one. */
final class SearchOracle {

    private final Map<Long, Set<Long>> documents = new TreeMap<>();

    private record Match(long id, int common, int max) {

        double score() {
            return max == 0 ? 0 : (double) common / max;
        }
    }

    void put(long id, List<Long> elements) {
        documents.put(id, new HashSet<>(elements));
    }

    void delete(long id) {
        documents.remove(id);
    }

    /** The line of an answer. */
    String answer(int k, double minScore, boolean withZero, List<Long> elements) {
        Set<Long> query = new HashSet<>(elements);
        List<Match> matches = new ArrayList<>();
        documents.forEach(
                (id, set) -> {
                    Set<Long> both = new HashSet<>(set);
                    both.retainAll(query);
                    matches.add(new Match(id, both.size(), Math.max(set.size(), query.size())));
                });
        return matches.stream()
                .filter(match -> match.common > 0 || withZero)
                .filter(match -> match.score() >= minScore)
                .sorted(
                        Comparator.comparingDouble(Match::score)
                                .reversed()
                                .thenComparingLong(Match::id))
                .limit(k)
                .map(match -> match.id + ":" + match.common + ":" + match.max)
                .collect(Collectors.joining(" "));
    }
}
