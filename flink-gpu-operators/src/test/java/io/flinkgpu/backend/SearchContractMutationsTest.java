package io.flinkgpu.backend;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.testkit.SetSearchOracle;
import io.flinkgpu.testkit.VersionedQuery;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the random operations of {@link SearchContract} find the usual mistakes.
 *
 * <p>Covers: SearchContract.
 */
class SearchContractMutationsTest {

    private static final int MOST_CORPORA = 200;

    @ParameterizedTest
    @EnumSource(Mistake.class)
    void isFound(Mistake mistake) throws Exception {
        long seed = System.nanoTime();
        boolean isFound = false;
        for (int i = 0; i < MOST_CORPORA && !isFound; i++) {
            try (Backend backend = new Mistaken(mistake)) {
                SearchTester.checkRandom(backend, seed + i, 4);
            } catch (AssertionError found) {
                isFound = true;
            }
        }
        assertThat(isFound).as("seed=%d", seed).isTrue();
    }

    private enum Mistake {
        LAST_OF_TIES,
        ONE_CHANGE_TOO_FEW,
        ONE_CHANGE_TOO_MANY,
        FLOAT_MINIMUM,
        NO_GREATEST_ELEMENT,
        NO_ELEMENT_ZERO,
        COUNT_IN_A_BYTE,
        UNKNOWN_DELETES_DO_NOT_COUNT,
        ATTRIBUTES_STAY,
        FILTER_AFTER_K,
        AT_MOST_1024,
        ZERO_ABOVE_ANY_MINIMUM,
        NO_EMPTY_DOCUMENTS
    }

    private static final class Mistaken extends BruteForceSearchBackend {

        private final Mistake mistake;
        private final Map<Long, SetChange> documents = new HashMap<>();

        Mistaken(Mistake mistake) {
            this.mistake = mistake;
        }

        @Override
        protected void apply(SetSearchOracle corpus, List<SetChange> changes) {
            for (SetChange change : changes) {
                SetChange before = documents.put(change.id(), change);
                boolean isUnknown = change.isDelete() && (before == null || before.isDelete());
                if (!isUnknown || mistake != Mistake.UNKNOWN_DELETES_DO_NOT_COUNT) {
                    corpus.apply(change.isDelete() ? change : mistaken(change, before));
                }
            }
        }

        private SetChange mistaken(SetChange change, SetChange before) {
            return switch (mistake) {
                case NO_GREATEST_ELEMENT -> without(change, -1);
                case NO_ELEMENT_ZERO -> without(change, 0);
                case ATTRIBUTES_STAY ->
                        before == null ? change : change.withAttributes(before.attributes());
                case NO_EMPTY_DOCUMENTS ->
                        change.elements().length > 0 ? change : SetChange.delete(change.id());
                default -> change;
            };
        }

        private static SetChange without(SetChange change, int lost) {
            int[] others = Arrays.stream(change.elements()).filter(e -> e != lost).toArray();
            return SetChange.upsert(change.id(), others).withAttributes(change.attributes());
        }

        @Override
        protected SetMatches find(SetSearchOracle corpus, VersionedQuery versioned) {
            SetQuery query = versioned.query();
            long version = versioned.version();
            SetMatches right = corpus.find(query, version);
            return switch (mistake) {
                case ONE_CHANGE_TOO_FEW -> corpus.find(query, version - 1);
                case ONE_CHANGE_TOO_MANY -> corpus.find(query, version + 1);
                case FLOAT_MINIMUM ->
                        corpus.find(query.withMinScore((float) query.minScore()), version);
                case ZERO_ABOVE_ANY_MINIMUM ->
                        query.includesZero() ? corpus.find(query.withMinScore(-1), version) : right;
                case FILTER_AFTER_K -> {
                    Set<Long> ids = ids(corpus.find(everything(query), version));
                    SetMatches unfiltered = corpus.find(query.withAttributes(0, 0), version);
                    yield kept(unfiltered, i -> ids.contains(unfiltered.id(i)));
                }
                case LAST_OF_TIES -> {
                    SetMatches all = corpus.find(everything(query), version);
                    int last = right.count() - 1;
                    int next = right.count();
                    boolean isTie = next < all.count() && all.score(last) == all.score(next);
                    yield isTie ? kept(all, i -> i < last || i == next) : right;
                }
                case COUNT_IN_A_BYTE -> kept(right, i -> right.common(i) < 256);
                case AT_MOST_1024 -> kept(right, i -> i < 1_024);
                default -> right;
            };
        }

        /** The query without an end. */
        private static SetQuery everything(SetQuery query) {
            return SetQuery.of(Integer.MAX_VALUE, query.elements())
                    .withMinScore(query.minScore())
                    .withZero(query.includesZero())
                    .withAttributes(query.attributeMask(), query.attributeValue());
        }

        private static Set<Long> ids(SetMatches matches) {
            return IntStream.range(0, matches.count())
                    .mapToObj(matches::id)
                    .collect(Collectors.toSet());
        }

        private static SetMatches kept(SetMatches matches, IntPredicate isKept) {
            int[] kept = IntStream.range(0, matches.count()).filter(isKept).toArray();
            return new SetMatches(
                    matches.similarity(),
                    matches.querySize(),
                    Arrays.stream(kept).mapToLong(matches::id).toArray(),
                    Arrays.stream(kept).map(matches::common).toArray(),
                    Arrays.stream(kept).map(matches::size).toArray());
        }
    }
}
