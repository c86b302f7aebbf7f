package io.flinkgpu.windows;

import io.flinkgpu.api.BatchPolicy;

import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sums and means of doubles that rounding makes wrong: rounded once, whatever the order and the cuts.
 *
 * <p>Covers: ExactAggregate.
 */
class ExactDoublesTest {

    private static final long SEED = Long.getLong("windows.seed", 20_261_121);
    private static final Query QUERY = Query.all(Column.REAL);

    static Stream<double[]> adversarial() {
        return Stream.of(
                new double[] {1e308, 1e308, -1e308, -1e308, 1e-308, 3e-308},
                new double[] {1e308, 1, -1e308},
                new double[] {Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE},
                new double[] {Double.MAX_VALUE, Math.scalb(1.0, 969), Double.MIN_VALUE},
                new double[] {Double.MAX_VALUE, Math.scalb(1.0, 970)},
                new double[] {-Double.MAX_VALUE, -Math.scalb(1.0, 970), Double.MIN_VALUE},
                new double[] {Double.MIN_VALUE, Double.MIN_VALUE, -Double.MIN_VALUE},
                new double[] {Double.MIN_VALUE, 0x1p-1022 - 0x1p-1074, -0x1p-1022},
                new double[] {-Double.MIN_VALUE, 0.0, -0.0},
                new double[] {-0.0, -0.0},
                new double[] {0x1p53, 1, Double.MIN_VALUE},
                new double[] {0x1p53, 1, -Double.MIN_VALUE},
                new double[] {0x1p53 + 2, 1, 1e-300},
                new double[] {-0x1p53, -1, -0x1p-1022},
                new double[] {0x1p53 - 1, 0x1p53 - 1, 0x1p53, 1, 1, 1},
                new double[] {1, 0x1p-53, 0x1p-106},
                new double[] {1, 0x1p-53, -0x1p-1074},
                new double[] {1, 0x1p100, 1, -0x1p100},
                new double[] {0.1, 0.2, 0.3, -0.6},
                new double[] {Double.NaN, 1, 2},
                new double[] {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 5},
                new double[] {Double.POSITIVE_INFINITY, -Double.MAX_VALUE, -Double.MAX_VALUE});
    }

    @ParameterizedTest
    @MethodSource("adversarial")
    void everyOrderEveryCut(double[] values) throws Exception {
        String expected = QUERY.results(rows(values));
        Random random = new Random(SEED);
        for (int run = 0; run < 8; run++) {
            List<Reading> rows = rows(values);
            java.util.Collections.shuffle(rows, random);
            assertThat(results(rows, 1 + random.nextInt(4), 1 + random.nextInt(3), run % 4 > 0))
                    .as("%s, seed=%d, run=%d", Arrays.toString(values), SEED, run)
                    .isEqualTo(expected);
        }
    }

    @Test
    void randomExponentsInEveryOrder() throws Exception {
        Random random = new Random(SEED);
        double[] values = new double[20_000];
        Arrays.setAll(values, i -> Readings.anyFinite(random));
        for (int run = 0; run < 3; run++) {
            List<Reading> rows = rows(values);
            java.util.Collections.shuffle(rows, random);
            assertThat(results(rows, 1 + random.nextInt(5_000), 1 + run, true))
                    .as("seed=%d, run=%d", SEED, run)
                    .contains(Exactly.text(Exactly.quotient(Exactly.sum(values), 1)))
                    .contains(Exactly.text(Exactly.quotient(Exactly.sum(values), values.length)));
        }
    }

    @Test
    void aMillionRandomExponents() throws Exception {
        Random random = new Random(SEED + 1);
        double[] values = new double[1_000_000];
        Arrays.setAll(values, i -> Readings.anyFinite(random));
        assertThat(results(rows(values), 1 << 16, 2, true))
                .as("seed=%d", SEED)
                .contains(Exactly.text(Exactly.quotient(Exactly.sum(values), 1)))
                .contains(Exactly.text(Exactly.quotient(Exactly.sum(values), values.length)));
    }

    private static List<Reading> rows(double... values) {
        List<Reading> rows = new ArrayList<>();
        for (double value : values) {
            Reading reading = new Reading();
            reading.sensor = "s1";
            reading.real = value;
            rows.add(reading);
        }
        return rows;
    }

    /** The results of the only window. */
    private static String results(List<Reading> rows, int maxRows, int channels, boolean local)
            throws Exception {
        Plan<String> plan =
                new Plan<>(
                        KeyKind.STRING,
                        Shape.random(Shape.Kind.GLOBAL, new Random(0)),
                        QUERY,
                        -1,
                        false,
                        local,
                        new BatchPolicy(maxRows, 1 << 20, Duration.ofSeconds(1)),
                        false,
                        false);
        try (Job job =
                new Job(
                        Stages.of(plan, Plan.Engine.OURS),
                        result -> plan.row(result).replaceFirst("^.*?\\) ", ""),
                        channels,
                        1,
                        false,
                        new HashMapStateBackend(),
                        0,
                        null)) {
            for (int i = 0; i < rows.size(); i++) {
                job.arrives(i % channels, rows.get(i), i);
            }
            for (int channel = 0; channel < channels; channel++) {
                job.watermark(channel, Long.MAX_VALUE);
            }
            List<Recording.Segment> segments = job.recorded("end");
            assertThat(segments.get(0).rows()).hasSize(1);
            return segments.get(0).rows().get(0).replaceFirst(" @.*", "");
        }
    }
}
