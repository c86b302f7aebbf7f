package io.flinkgpu.backend;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.backend.plan.AggregatePlan;
import io.flinkgpu.testkit.AggregationInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of numbers on every backend.
 *
 * <p>Covers: AggregatePlan.
 */
abstract class AggregatedNumbersContract extends AggregationTester {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50, 99, 100})
    void nullsAreSkipped(int percent) throws Exception {
        AggregationInput input = new AggregationInput(BY_ID);
        for (int row = 0; row < 3001; row++) {
            Long integer = random.nextInt(100) < percent ? null : (Long) random.nextLong();
            Double real = random.nextInt(100) < percent ? null : (Double) random.nextGaussian();
            input.add(random.nextInt(20), 0, integer, real);
        }
        check(input);
        checkSlices(input);
    }

    @Test
    void integersAtTheirLimits() throws Exception {
        long[] limits = {
            Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1, 1L << 32, (1L << 32) - 1, -(1L << 32)
        };
        AggregationInput input =
                new AggregationInput(new AggregatePlan(ColumnType.INT, List.of(LONGS)));
        for (int row = 0; row < 50_000; row++) {
            int key = random.nextInt(4);
            long number =
                    key == 0
                            ? Long.MAX_VALUE
                            : key == 1 ? Long.MIN_VALUE : limits[random.nextInt(limits.length)];
            input.add(key, 0, number);
        }
        check(input);
    }

    @Test
    void doublesOfEveryKind() throws Exception {
        double[] kinds = {
            0.0,
            -0.0,
            1,
            -1,
            0.1,
            1e308,
            -1e308,
            1e-308,
            -1e-308,
            Double.MIN_VALUE,
            -Double.MIN_VALUE,
            Double.MIN_NORMAL,
            -Double.MIN_NORMAL,
            Double.MAX_VALUE,
            -Double.MAX_VALUE,
            0x1p53,
            0x1p53 + 2,
            0x1p53 - 1,
            -0x1p53,
            0x1p31,
            0x1p32,
            0x1p-32,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.longBitsToDouble(0xfff8_0000_dead_beefL),
            Double.longBitsToDouble(-1)
        };
        for (double kind : kinds) {
            check(doubles(40, 2, () -> kind));
        }
        check(doubles(5000, 50, () -> kinds[random.nextInt(kinds.length)]));
        check(doubles(5000, 3000, () -> kinds[random.nextInt(kinds.length)]));
        check(doubles(5000, 3, () -> kinds[random.nextInt(kinds.length - 5)]));
    }

    @Test
    void doublesOfRandomExponents() throws Exception {
        check(doubles(20_000, 5, () -> Double.longBitsToDouble(random.nextLong())));
        check(doubles(3000, 2000, () -> Double.longBitsToDouble(random.nextLong())));
        for (int round = 0; round < 50; round++) {
            int least = random.nextInt(2046);
            int width = 1 + random.nextInt(Math.min(80, 2047 - least));
            check(
                    doubles(
                            200,
                            10,
                            () -> {
                                long exponent = least + random.nextInt(width);
                                long sign = random.nextLong() & Long.MIN_VALUE;
                                long bits = sign | exponent << 52 | random.nextLong() >>> 12;
                                return Double.longBitsToDouble(bits);
                            }));
        }
    }

    @Test
    void everyBinFillsUpAlike() throws Exception {
        // All ones in the fraction: each of the parts is as large as it can be.
        for (int exponent : new int[] {0, 1, 12, 32, 33, 44, 1023, 2045, 2046}) {
            double number = Double.longBitsToDouble((long) exponent << 52 | -1L >>> 12);
            check(doubles(10_000, 1, () -> number));
            check(doubles(10_000, 1, () -> -number));
        }
    }

    @Test
    void whatIsNeededOfSeveralValues() throws Exception {
        Aggregate[][] needs = {
            {Aggregate.COUNT},
            {Aggregate.MIN},
            {Aggregate.MAX, Aggregate.COUNT},
            {Aggregate.SUM},
            {Aggregate.MEAN},
            {Aggregate.MIN, Aggregate.SUM},
        };
        List<ValueSpec> values = new ArrayList<>();
        for (Aggregate[] need : needs) {
            values.add(value(ColumnType.DOUBLE, need));
            values.add(value(ColumnType.decimal(18, 2), need));
            values.add(value(ColumnType.FLOAT, need));
            values.add(value(ColumnType.INT, need));
        }
        AggregationInput input = new AggregationInput(new AggregatePlan(ColumnType.INT, values));
        for (int row = 0; row < 2000; row++) {
            Number[] numbers = new Number[values.size()];
            for (int i = 0; i < numbers.length; i++) {
                boolean floating = values.get(i).type().isFloating();
                if (random.nextInt(10) > 0) {
                    numbers[i] = floating ? (Number) (double) random.nextFloat() : random.nextInt();
                    numbers[i] = floating ? numbers[i] : (Number) numbers[i].longValue();
                }
            }
            input.add(random.nextInt(9), random.nextInt(3), numbers);
        }
        check(input);
    }
}
