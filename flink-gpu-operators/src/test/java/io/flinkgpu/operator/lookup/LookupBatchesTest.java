package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.LookupBatch;
import io.flinkgpu.api.lookup.LookupBatchMapper.Output;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupResult;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.VectorChange;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.apache.arrow.vector.Float4Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A lookup that emits what is made of batches of Arrow vectors. Closing it fails if memory is still held.
 *
 * <p>Covers: LookupBatch.
 */
@Timeout(120)
class LookupBatchesTest {

    private static final List<EmbeddingTable> ONE =
            List.of(EmbeddingTable.of("t", 1, ElementType.F32));

    private static LookupRequest look(long... ids) {
        return LookupRequest.of(Bag.of("t", Combiner.NONE, ids));
    }

    /** The sum of each request's values, the last request first. */
    private static void sums(LookupBatch<Integer> batch, Output<LookupResult<Integer>> output) {
        for (int i = batch.requests() - 1; i >= 0; i--) {
            float sum = 0;
            int end = batch.values().getElementEndIndex(i);
            for (int k = batch.values().getElementStartIndex(i); k < end; k++) {
                sum += ((Float4Vector) batch.values().getDataVector()).get(k);
            }
            output.collect(i, result(batch.record(i), sum));
        }
    }

    private static LookupResult<Integer> result(int record, float value) {
        return new LookupResult<>(record, new LookupValues(new float[] {value}, new int[] {1}));
    }

    private static void change(LookupHarness harness) throws Exception {
        for (int id = 0; id < 10; id++) {
            harness.change(VectorChange.upsert("t", id, id), null);
        }
    }

    @Test
    void watermarksLeaveAfterTheirBatch() throws Exception {
        try (LookupHarness harness = LookupHarness.ofBatches(ONE, LookupBatchesTest::sums)) {
            harness.open();
            change(harness);
            harness.ask(0, look(1, 2), 10L);
            harness.mark(10);
            harness.ask(1, look(), null);
            harness.ask(2, look(9), 12L);
            harness.mark(12);
            assertThat(harness.getOutput()).isEmpty();
            harness.checkpoint(1);
            assertThat(new ArrayList<Object>(harness.getOutput()))
                    .containsExactly(
                            new StreamRecord<>(result(2, 9), 12),
                            new StreamRecord<>(result(1, 0)),
                            new StreamRecord<>(result(0, 3), 10),
                            new Watermark(10),
                            new Watermark(12));
        }
    }

    @Test
    void anyNumberOfRecordsLeaves() throws Exception {
        try (LookupHarness harness =
                LookupHarness.ofBatches(
                        ONE,
                        (batch, output) -> {
                            for (int i = 0; i < batch.requests(); i++) {
                                for (int copy = 0; copy < batch.record(i); copy++) {
                                    output.collect(i, result(batch.record(i), copy));
                                }
                            }
                            output.collect(0, null);
                        })) {
            harness.open();
            for (int i = 0; i < 3; i++) {
                harness.ask(i, look(i), null);
            }
            harness.end();
            assertThat(harness.results()).containsExactly(result(1, 0), result(2, 0), result(2, 1));
        }
    }

    @Test
    void aBatchThatIsKeptIsRefused() throws Exception {
        List<LookupBatch<Integer>> kept = new ArrayList<>();
        try (LookupHarness harness =
                LookupHarness.ofBatches(ONE, (batch, output) -> kept.add(batch))) {
            harness.open();
            harness.ask(0, look(1), null);
            harness.end();
            assertThat(kept).hasSize(1);
            assertThatThrownBy(() -> kept.get(0).values())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("are valid during the call");
            assertThatThrownBy(() -> kept.get(0).record(0))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aMapperThatFailsShowsNothing() throws Exception {
        try (LookupHarness harness =
                LookupHarness.ofBatches(
                        ONE,
                        (batch, output) -> {
                            throw new IllegalArgumentException("secret");
                        })) {
            harness.open();
            harness.ask(0, look(1), null);
            assertThatThrownBy(harness::end)
                    .hasStackTraceContaining("a mapper must not throw: error=")
                    .satisfies(e -> assertThat(e).hasStackTraceContaining("IllegalArgument"))
                    .extracting(Throwable::getMessage)
                    .asString()
                    .doesNotContain("secret");
        }
    }
}
