package io.flinkgpu.operator.window.local;

import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.column.BadValueException;
import io.flinkgpu.column.RowValues;
import io.flinkgpu.column.ValueReader;
import io.flinkgpu.groups.KeyCodec;
import io.flinkgpu.operator.window.Reading;
import io.flinkgpu.operator.window.SentGroup;
import io.flinkgpu.operator.window.WindowInput;
import io.flinkgpu.operator.window.WindowModel;
import io.flinkgpu.operator.window.WindowShape;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Invariant: what is sent makes the same windows fire with the same results at the same watermarks as
 * the records would, wherever batches were cut; no partial is late.
 *
 * <p>Covers: LocalAggregator.
 */
@Timeout(300)
class LocalResultsTest {

    private static final int RUNS = Integer.getInteger("local.results.runs", 60);
    private static final long FIRST_SEED = Long.getLong("local.results.seed", 1);
    private static final int EVENTS = 300;

    private static final double[] VALUES = {
        0.0,
        -0.0,
        1.5,
        -1e308,
        1e308,
        Double.MIN_VALUE,
        0.1,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        1L << 53
    };

    enum Windows {
        TUMBLING(WindowShape.tumbling(true, 20, 0)),
        TUMBLING_WITH_OFFSET(WindowShape.tumbling(true, 20, 7)),
        SLIDING(WindowShape.sliding(true, 40, 10, 0)),
        SLIDING_UNEVENLY(WindowShape.sliding(true, 25, 10, 3)),
        SLIDING_WITH_GAPS(WindowShape.sliding(true, 10, 25, 0)),
        SESSION(WindowShape.session(8)),
        GLOBAL(WindowShape.global());

        private final WindowShape shape;

        Windows(WindowShape shape) {
            this.shape = shape;
        }
    }

    @ParameterizedTest
    @EnumSource(Windows.class)
    void areThoseOfTheRecords(Windows windows) throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                run(windows.shape, new Random(seed));
            } catch (AssertionError | Exception e) {
                throw new AssertionError("seed=" + seed + ", windows=" + windows, e);
            }
        }
    }

    private static void run(WindowShape shape, Random random) throws Exception {
        int maxRows = List.of(1, 2, 3, 7, 64, 1000).get(random.nextInt(6));
        int keys = List.of(1, 2, 5, 300).get(random.nextInt(4));
        Stream stream = new Stream(random, keys);
        LocalHarness.Builder<String> builder =
                LocalHarness.of(shape)
                        .maxRows(maxRows)
                        .maxHeldBytes(List.of(1L << 13, 1L << 15, 1L << 24).get(random.nextInt(3)))
                        .sampleRows(List.of(1, 5, 20, 1000).get(random.nextInt(4)));
        if (random.nextBoolean()) {
            builder.rowByRow();
        }
        try (LocalHarness<String> harness = builder.open()) {
            for (int i = 0; i < EVENTS; i++) {
                stream.next(harness);
            }
            stream.input.add(Watermark.MAX_WATERMARK);
            harness.processWatermark(Watermark.MAX_WATERMARK);
            harness.endInput();
            WindowModel expected = new WindowModel(shape);
            stream.input.forEach(element -> replay(element, shape, expected, false));
            WindowModel actual = new WindowModel(shape);
            harness.getOutput().forEach(element -> replay(element, shape, actual, true));
            assertThat(actual.fired()).isEqualTo(expected.fired());
            assertThat(actual.late()).isEqualTo(expected.late());
        }
    }

    @SuppressWarnings("unchecked") // The operator's output type.
    private static void replay(
            Object element, WindowShape shape, WindowModel model, boolean strictly) {
        if (element instanceof Watermark mark) {
            model.watermark(mark.getTimestamp());
        } else if (element instanceof StreamRecord<?> record) {
            WindowInput<String, ?> input = (WindowInput<String, ?>) record.getValue();
            if (input.isRaw()) {
                long start = shape.sliceStart(record.getTimestamp());
                Reading reading = (Reading) input.record();
                model.add(reading.key, start, shape.sliceEnd(start), rows(reading));
            } else {
                for (SentGroup<String> sent :
                        SentGroup.in(
                                input,
                                KeyCodec.of(StringSerializer.INSTANCE),
                                Reading.AGGREGATES.specs())) {
                    boolean inTime =
                            model.add(
                                    sent.key(),
                                    sent.startMillis(),
                                    sent.endMillis(),
                                    sent.partial());
                    if (!inTime && strictly) {
                        fail("a partial is late: " + sent);
                    }
                }
            }
        }
    }

    private static Partial rows(Reading reading) {
        RowValues values = new RowValues(Reading.AGGREGATES.specs().size());
        try {
            new ValueReader<>(Reading.AGGREGATES, ErrorValues.of(ErrorDetail.FULL))
                    .read(reading, values);
        } catch (BadValueException e) {
            throw new AssertionError(e);
        }
        Partial rows = new Partial(Reading.AGGREGATES.specs());
        for (int i = 0; i < values.columns(); i++) {
            if (!values.isNull(i)) {
                rows.add(i, values.word(i));
            }
        }
        return rows;
    }

    /** A random input, and what the harness was given of it. */
    private static final class Stream {

        final Queue<Object> input = new ArrayDeque<>();
        private final Random random;
        private final int keys;
        private final int outOfOrderMillis;
        private final boolean hasBarriers;
        private final boolean goesIdle;
        private long timestamp = 1_000;
        private long watermark = 950;

        Stream(Random random, int keys) {
            this.random = random;
            this.keys = keys;
            this.outOfOrderMillis = List.of(1, 10, 60).get(random.nextInt(3));
            this.hasBarriers = random.nextBoolean();
            this.goesIdle = random.nextInt(8) == 0;
        }

        void next(LocalHarness<String> harness) throws Exception {
            int choice = random.nextInt(100);
            if (choice < 12) {
                watermark = Math.max(watermark, timestamp - random.nextInt(30));
                input.add(new Watermark(watermark));
                harness.processWatermark(watermark);
            } else if (choice < 14 && hasBarriers) {
                harness.prepareSnapshotPreBarrier(1);
            } else if (choice == 14 && goesIdle) {
                harness.processWatermarkStatus(WatermarkStatus.IDLE);
                harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
            } else if (choice == 15) {
                harness.runMails();
            } else {
                timestamp += random.nextInt(4);
                long at = timestamp - random.nextInt(outOfOrderMillis);
                Double value =
                        random.nextInt(5) == 0
                                ? null
                                : Double.valueOf(VALUES[random.nextInt(VALUES.length)]);
                Reading reading =
                        new Reading("k" + random.nextInt(keys), random.nextInt(100) - 50, value);
                input.add(new StreamRecord<>(WindowInput.raw(reading), at));
                harness.processElement(reading, at);
            }
        }
    }
}
