package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.testkit.RandomSetOperations;
import io.flinkgpu.testkit.SetSearchOracle;

import org.junit.jupiter.api.RepeatedTest;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What shards found becomes what one shard with all documents finds, ties included.
 *
 * <p>Covers: search.MergedMatches.
 */
class MergedMatchesTest {

    @RepeatedTest(50)
    void isWhatOneShardFinds() {
        RandomSetOperations operations = new RandomSetOperations(new Random().nextLong());
        int shards = 1 + operations.random().nextInt(5);
        SetSearchOracle whole = new SetSearchOracle(operations.similarity());
        List<SetSearchOracle> parts =
                IntStream.range(0, shards)
                        .mapToObj(shard -> new SetSearchOracle(operations.similarity()))
                        .toList();
        for (SetChange change : operations.changes(200)) {
            whole.apply(change);
            parts.get(Math.floorMod(change.id(), shards)).apply(change);
        }
        for (int i = 0; i < 20; i++) {
            SetQuery query = operations.query();
            List<SetMatches> found = new ArrayList<>();
            parts.forEach(part -> found.add(part.find(query)));
            assertThat(MergedMatches.of(found, query.k()))
                    .as(operations.toString())
                    .isEqualTo(whole.find(query));
        }
    }
}
