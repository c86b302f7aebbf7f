package io.flinkgpu.backend;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.backend.cpu.CpuBackend;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.embeddings.TableGauge;
import io.flinkgpu.testkit.TestRequests;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: CpuEmbeddings, BagCombiner, BagLookup, cpu.lookup.DiskVectors, cpu.lookup.LookupResult.
 */
class CpuEmbeddingContractTest extends EmbeddingContract {

    @Override
    protected Backend open() {
        return CpuBackend.open(TestRequests.of(256L << 20));
    }

    /** Wherever memory ends. */
    @Test
    void aBatchThatIsRepeatedForLackOfMemoryIsCountedOnce() throws Exception {
        EmbeddingTablesPlan tables =
                EmbeddingTester.plan(
                        directory, List.of(EmbeddingTable.of("t", 1, ElementType.F32)), 1 << 20, 0);
        EmbeddingPlan plan = new EmbeddingPlan(tables);
        BufferAllocator allocator = backend.allocator();
        LookupRequest request = LookupRequest.of(Bag.of("t", Combiner.NONE, 1, 2, 3));
        int failed = 0;
        try (CompiledProgram<TransformedBatch> program = backend.compile(plan);
                ColumnBatch batch = EmbeddingRows.requests(allocator, plan, List.of(request))) {
            long limit = allocator.getLimit();
            boolean done = false;
            for (long room = 0; !done; room += 8) {
                allocator.setLimit(allocator.getAllocatedMemory() + room);
                try {
                    program.submit(batch).await().close();
                    done = true;
                } catch (OutOfMemoryException e) {
                    failed++;
                }
            }
            allocator.setLimit(limit);
            assertThat(failed).isPositive();
            assertThat(program.gauges().get(TableGauge.LOOKUPS.of("t")).getAsLong()).isEqualTo(3);
            assertThat(program.gauges().get(TableGauge.MISSING.of("t")).getAsLong()).isEqualTo(3);
        }
    }
}
