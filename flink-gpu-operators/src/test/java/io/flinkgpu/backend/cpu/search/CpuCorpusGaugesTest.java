package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.backend.SearchRows;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** What can be watched of the documents. */
class CpuCorpusGaugesTest {

    @Test
    void areOfTheTimeAfterTheLastChanges() throws Exception {
        SearchPlan plan = new SearchPlan(new CorpusPlan("c", 1 << 20), Similarity.MAX);
        try (CpuSearch search = new CpuSearch(plan);
                BufferAllocator allocator = new RootAllocator();
                ColumnBatch changes =
                        SearchRows.changes(
                                allocator,
                                List.of(
                                        SetChange.upsert(1, 5),
                                        SetChange.upsert(2, 5, 6),
                                        SetChange.delete(1)))) {
            assertThat(search.gauges()).containsOnlyKeys("documents", "tiles", "corpusBytes");
            assertThat(search.gauges().get("documents").getAsLong()).isZero();
            search.residents().get(0).apply(changes);
            assertThat(search.gauges().get("documents").getAsLong()).isEqualTo(1);
            assertThat(search.gauges().get("tiles").getAsLong()).isZero();
            assertThat(search.gauges().get("corpusBytes").getAsLong())
                    .isEqualTo(search.residents().get(0).bytes());
        }
    }
}
