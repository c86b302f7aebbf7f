package io.flinkgpu.operator.window.local;

import io.flinkgpu.operator.FlushReason;
import io.flinkgpu.operator.window.Reading;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple1;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is sent for what comes in, and what is counted.
 *
 * <p>Covers: LocalAggregateSpec, local.RecordReader.
 */
@Timeout(60)
class LocalAggregateSpecTest {

    private static final WindowShape TUMBLING = WindowShape.tumbling(true, 10, 0);

    @Test
    void aPartialForEachKeyAndSlice() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).open();
        harness.process("a", 1, 1.5, 3);
        harness.process("b", 2, -0.0, 4);
        harness.process("a", 3, null, 9);
        harness.process("a", 4, 0.5, 12);
        harness.endInput();
        assertThat(harness.raw()).isEmpty();
        List<SentGroup<String>> partials = harness.partials();
        assertThat(partials).hasSize(3);
        assertPartial(partials.get(0), "a", 0, 4L, 2L, 1.5, 1.5, 1.5);
        assertPartial(partials.get(1), "b", 0, 2L, 1L, -0.0, -0.0, 0.0);
        assertPartial(partials.get(2), "a", 10, 4L, 1L, 0.5, 0.5, 0.5);
        assertThat(harness.records()).noneMatch(StreamRecord::hasTimestamp);
        harness.close();
    }

    @Test
    void aSlidingWindowsRecordIsSentOnce() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.sliding(true, 60, 1, 0)).open();
        harness.process("a", 1, 1.0, 100);
        harness.process("a", 2, 1.0, 100);
        harness.endInput();
        assertThat(harness.partials()).hasSize(1);
        assertPartial(harness.partials().get(0), "a", 100, 3L, 2L, 1.0, 1.0, 1.0);
        assertThat(harness.partials().get(0).endMillis()).isEqualTo(101);
        harness.close();
    }

    @Test
    void theGlobalWindowIsOneSliceAndNeedsNoTimestamps() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.global()).open();
        harness.processElement(new StreamRecord<>(new Reading("a", 1, 1.0)));
        harness.process("a", 2, 3.0, Long.MAX_VALUE);
        harness.endInput();
        assertThat(harness.partials()).hasSize(1);
        assertPartial(harness.partials().get(0), "a", Long.MIN_VALUE, 3L, 2L, 1.0, 3.0, 2.0);
        assertThat(harness.partials().get(0).endMillis()).isEqualTo(Long.MAX_VALUE);
        harness.close();
    }

    @Test
    void batchesOfOneRow() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).maxRows(1).open();
        harness.process("a", 1, 1.0, 3);
        harness.process("a", 2, 2.0, 4);
        harness.endInput();
        assertThat(harness.partials()).hasSize(1);
        assertPartial(harness.partials().get(0), "a", 0, 3L, 2L, 1.0, 2.0, 1.5);
        assertThat(harness.metrics().flushes(FlushReason.ROWS)).isEqualTo(2);
        harness.close();
    }

    @Test
    void aLateRecordIsSentRawWithItsTimestamp() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).open();
        harness.processWatermark(9);
        harness.process("a", 1, 1.0, 9);
        harness.process("a", 2, 2.0, 10);
        assertThat(harness.raw()).containsExactly(new Reading("a", 1, 1.0));
        assertThat(harness.records().get(0).getTimestamp()).isEqualTo(9);
        harness.endInput();
        assertThat(harness.partials()).hasSize(1);
        harness.close();
    }

    @Test
    void aRecordThatIsLateForOneOfItsWindowsIsSentRaw() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.sliding(true, 10, 5, 0)).open();
        harness.processWatermark(9);
        harness.process("a", 1, 1.0, 9);
        harness.process("a", 2, 2.0, 10);
        assertThat(harness.raw()).containsExactly(new Reading("a", 1, 1.0));
        harness.close();
    }

    @Test
    void aRecordInNoWindowIsSentRaw() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.sliding(true, 5, 10, 0)).open();
        harness.process("a", 1, 1.0, 4);
        harness.process("a", 2, 2.0, 5);
        harness.process("a", 3, 3.0, Long.MAX_VALUE);
        harness.process("a", 4, 4.0, Long.MIN_VALUE + 1);
        assertThat(harness.raw()).extracting(Reading::number).containsExactly(2L, 3L, 4L);
        harness.close();
    }

    @Test
    void aSessionsLateRecordIsSentBehindTheRowsBeforeIt() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.session(10)).open();
        harness.processWatermark(40);
        harness.process("a", 1, 1.0, 45);
        harness.process("a", 2, 2.0, 42);
        harness.process("a", 3, 3.0, 31);
        assertThat(harness.records()).hasSize(2);
        assertPartial(harness.partials().get(0), "a", 42, 3L, 2L, 1.0, 2.0, 1.5);
        assertThat(harness.partials().get(0).endMillis()).isEqualTo(55);
        assertThat(harness.output()).last().matches(last -> ((WindowInput<?, ?>) last).isRaw());
        assertThat(harness.metrics().flushes(FlushReason.LATE_RECORD)).isEqualTo(1);
        harness.close();
    }

    /** At the watermark of another input, a session in state that ends here may fire without it. */
    @Test
    void aSessionsRecordThatTheWatermarkHasReachedIsSentRaw() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(WindowShape.session(10)).open();
        harness.processWatermark(40);
        harness.process("a", 1, 1.0, 42);
        harness.process("a", 2, 2.0, 41);
        assertThat(harness.raw()).containsExactly(new Reading("a", 2, 2.0));
        assertThat(harness.metrics().flushes(FlushReason.LATE_RECORD)).isZero();
        harness.close();
    }

    @Test
    void withoutAggregationOrInProcessingTimeEveryRecordIsSentRaw() throws Exception {
        WindowShape processingTime = WindowShape.tumbling(false, 10, 0);
        for (LocalHarness<String> harness :
                List.of(
                        LocalHarness.of(TUMBLING).withoutAggregation().open(),
                        LocalHarness.of(processingTime).open())) {
            harness.process("a", 1, 1.0, 3);
            harness.processWatermark(20);
            harness.prepareSnapshotPreBarrier(1);
            harness.endInput();
            assertThat(harness.raw()).containsExactly(new Reading("a", 1, 1.0));
            assertThat(harness.partials()).isEmpty();
            assertThat(harness.metrics().metric("gpu.backend")).isNull();
            harness.close();
        }
    }

    @Test
    void aKeyThatIsChangedAfterwardsIsKeptAsItWas() throws Exception {
        Tuple1<String> reused = new Tuple1<>();
        LocalHarness<Tuple1<String>> harness =
                LocalHarness.of(
                                TUMBLING,
                                reading -> {
                                    reused.f0 = reading.key();
                                    return reused;
                                },
                                TypeInformation.of(new TypeHint<Tuple1<String>>() {}))
                        .open();
        harness.process("a", 1, 1.0, 3);
        harness.process("b", 2, 2.0, 3);
        harness.process("a", 3, 3.0, 3);
        harness.endInput();
        assertThat(harness.partials())
                .extracting(SentGroup::key)
                .containsExactly(Tuple1.of("a"), Tuple1.of("b"));
        harness.close();
    }

    @Test
    void aRecordThatIsChangedAfterwardsIsAggregatedAsItWas() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).build();
        harness.getExecutionConfig().enableObjectReuse();
        harness.open();
        Reading reused = new Reading("a", 1, 1.0);
        harness.processElement(reused, 3);
        reused.key = "b";
        reused.number = 100;
        harness.endInput();
        assertPartial(harness.partials().get(0), "a", 0, 1L, 1L, 1.0, 1.0, 1.0);
        harness.close();
    }

    @Test
    void countsWhatItDoes() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).deadLetters().open();
        harness.process("a", 1, 1.0, 3);
        harness.process("a", 2, 2.0, 4);
        harness.process(null, 2, 2.0, 4);
        harness.endInput();
        harness.processWatermark(9);
        harness.process("a", 3, 3.0, 5);
        assertThat(harness.metrics().counter("gpu.aggregatedRecords")).isEqualTo(2);
        assertThat(harness.metrics().counter("gpu.partials")).isEqualTo(1);
        assertThat(harness.metrics().counter("gpu.rawRecords")).isEqualTo(1);
        assertThat(harness.metrics().counter("gpu.deadLetters")).isEqualTo(1);
        assertThat(harness.metrics().flushes(FlushReason.END_OF_INPUT)).isEqualTo(1);
        assertThat(harness.metrics().gauge("gpu.inFlightBatches")).isEqualTo(0);
        assertThat(harness.metrics().gauge("gpu.backendName")).isEqualTo("scripted");
        harness.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keysThatAreAllDistinctAreSentAsRowsAfterASample(boolean rowByRow) throws Exception {
        LocalHarness.Builder<String> builder = LocalHarness.of(TUMBLING).maxRows(10).sampleRows(10);
        LocalHarness<String> harness = (rowByRow ? builder.rowByRow() : builder).open();
        int records = 50;
        for (int i = 0; i < records; i++) {
            harness.process("key " + i, i, null, 3);
            if (i % 10 == 9) {
                harness.prepareSnapshotPreBarrier(i);
            }
        }
        harness.endInput();
        assertThat(harness.partials()).hasSize(records);
        for (int i = 0; i < records; i++) {
            SentGroup<String> sent = harness.partials().get(i);
            assertThat(sent.isGroup()).as("record %d", i).isEqualTo(i < 10);
            assertPartial(sent, "key " + i, 0, (long) i, 1L, null, null, null);
        }
        assertThat(harness.raw()).isEmpty();
        assertThat(harness.metrics().counter("gpu.rawRecords")).isEqualTo(40);
        assertThat(harness.metrics().counter("gpu.partials")).isEqualTo(10);
        assertThat(harness.metrics().counter("gpu.aggregatedRecords")).isEqualTo(10);
        harness.close();
    }

    private static void assertPartial(
            SentGroup<?> partial, Object key, long start, Object... results) {
        assertThat(partial.key()).isEqualTo(key);
        assertThat(partial.startMillis()).isEqualTo(start);
        assertThat(LocalHarness.results(partial)).containsExactly(results);
    }
}
