package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.operator.window.Reading;
import io.flinkgpu.operator.window.WindowShape;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Invariant: a record that cannot be aggregated fails the task or goes to the side, never is lost.
 *
 * <p>Covers: DeadLetter.
 */
@Timeout(60)
class DeadLettersTest {

    private static final WindowShape TUMBLING = WindowShape.tumbling(true, 10, 0);

    @Test
    void aNullKey() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).deadLetters().open();
        harness.process("a", 1, 1.0, 3);
        harness.process(null, 2, 2.0, 4);
        harness.process("a", 3, 3.0, 5);
        harness.endInput();
        assertThat(harness.deadReasons())
                .containsExactly(
                        "a key must not be null: key=null; filter such records out before");
        assertThat(harness.getSideOutput(LocalHarness.DEAD).peek().getValue().record())
                .isEqualTo(new Reading(null, 2, 2.0));
        assertThat(harness.getSideOutput(LocalHarness.DEAD).peek().getTimestamp()).isEqualTo(4);
        assertThat(LocalHarness.results(harness.partials().get(0))).startsWith(4L, 2L);
        harness.close();
    }

    /** Flink cannot write such a key. */
    @Test
    void aTupleWithANullInIt() throws Exception {
        LocalHarness<Tuple2<String, Tuple2<String, Long>>> harness =
                LocalHarness.of(
                                TUMBLING,
                                reading -> Tuple2.of("k", Tuple2.of(reading.key(), 1L)),
                                Types.TUPLE(Types.STRING, Types.TUPLE(Types.STRING, Types.LONG)))
                        .deadLetters()
                        .open();
        harness.process(null, 2, 2.0, 4);
        harness.process("a", 1, 1.0, 4);
        harness.endInput();
        assertThat(harness.deadReasons())
                .containsExactly(
                        "a key that is a tuple must not have a null in it: key=(hidden: Tuple2);"
                                + " filter such records out before");
        assertThat(harness.partials()).hasSize(1);
        harness.close();
    }

    @Test
    void aSelectorThatThrows() throws Exception {
        LocalHarness<Integer> harness =
                LocalHarness.of(TUMBLING, reading -> reading.key().length(), Types.INT)
                        .deadLetters()
                        .open();
        harness.process(null, 2, 2.0, 4);
        assertThat(harness.deadReasons())
                .singleElement()
                .asString()
                .startsWith(
                        "a key selector must give a key for each record:"
                                + " error=java.lang.NullPointerException");
        harness.close();
    }

    @Test
    void aMissingTimestamp() throws Exception {
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING).deadLetters().errorDetail(ErrorDetail.FULL).open();
        harness.process("a", 1, 1.0, Long.MIN_VALUE);
        harness.processElement(new StreamRecord<>(new Reading("b", 1, 1.0)));
        assertThat(harness.deadReasons())
                .containsExactly(
                        "a record needs a timestamp to be in an event-time window:"
                                + " timestamp=Long.MIN_VALUE, key=a; call"
                                + " assignTimestampsAndWatermarks(..) on the stream before",
                        "a record needs a timestamp to be in an event-time window:"
                                + " timestamp=Long.MIN_VALUE, key=b; call"
                                + " assignTimestampsAndWatermarks(..) on the stream before");
        harness.close();
    }

    @Test
    void aBadValue() throws Exception {
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING).deadLetters().errorDetail(ErrorDetail.FULL).open();
        Reading bad =
                new Reading("a", 1, 1.0) {
                    @Override
                    public Double value() {
                        throw new IllegalStateException("no sensor");
                    }
                };
        harness.processElement(bad, 3);
        assertThat(harness.deadReasons())
                .singleElement()
                .asString()
                .startsWith("key=a: ")
                .contains("value", "no sensor");
        harness.close();
    }

    @Test
    void aReasonIsOneShortLineWhateverTheKey() throws Exception {
        LocalHarness<String> harness =
                LocalHarness.of(
                                TUMBLING,
                                reading -> {
                                    if (reading.key().isEmpty()) {
                                        throw new IllegalStateException("no\nkey");
                                    }
                                    return reading.key();
                                },
                                Types.STRING)
                        .deadLetters()
                        .errorDetail(ErrorDetail.FULL)
                        .open();
        String key = "a\r\nkey=b" + "c".repeat(1 << 20);
        harness.process(key, 1, 1.0, Long.MIN_VALUE);
        harness.process("", 1, 1.0, 3);
        Reading bad =
                new Reading(key, 1, 1.0) {
                    @Override
                    public Double value() {
                        throw new IllegalStateException("no sensor");
                    }
                };
        harness.processElement(bad, 3);
        assertThat(harness.deadReasons())
                .hasSize(3)
                .allSatisfy(reason -> assertThat(reason).hasLineCount(1).hasSizeLessThan(500));
        assertThat(harness.deadReasons().get(0)).contains("key=a??key=bccc");
        harness.close();
    }

    @Test
    void withoutATagTheTaskFails() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).open();
        assertThatThrownBy(() -> harness.process(null, 2, 2.0, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "a record cannot be aggregated: a key must not be null: key=null; filter such"
                                + " records out before; or set deadLetters(tag), which puts such"
                                + " records aside; GpuOptions.withErrorDetail(ErrorDetail.FULL)");
        harness.close();
    }

    @Test
    void recordsAreCheckedWithoutAggregationToo() throws Exception {
        LocalHarness<String> harness =
                LocalHarness.of(TUMBLING).withoutAggregation().deadLetters().open();
        harness.process(null, 2, 2.0, 4);
        assertThat(harness.raw()).isEmpty();
        assertThat(harness.deadReasons()).hasSize(1);
        harness.close();
    }

    @Test
    void aNullRecordFailsTheTask() throws Exception {
        LocalHarness<String> harness = LocalHarness.of(TUMBLING).deadLetters().open();
        assertThatThrownBy(() -> harness.processElement(null, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "a record cannot be aggregated: a record is null, which the key selector does"
                                + " not take: error=java.lang.NullPointerException")
                .hasMessageContaining("; filter such records out before; GpuOptions.");
        harness.close();
    }
}
