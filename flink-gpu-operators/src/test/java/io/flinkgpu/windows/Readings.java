package io.flinkgpu.windows;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;

/** Random {@link Reading}s with awkward numbers. Sums of any 200 of them fit their types. */
final class Readings {

    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        1e308,
        -1e308,
        1e-308,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        Double.MIN_NORMAL,
        Double.MAX_VALUE,
        0x1p53,
        0x1p53 - 1,
        0x1p53 + 2,
        -0x1p53,
        1.0,
        0.1,
        -0.1,
        0x1p-1022 - 0x1p-1074
    };
    private static final double[] SPECIALS = {
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };

    private final Random random;
    private final boolean specials;
    private long nextId;

    /**
     * @param specials whether there are NaNs and infinities among the numbers
     */
    Readings(Random random, boolean specials) {
        this.random = random;
        this.specials = specials;
    }

    Reading of(String sensor) {
        Reading reading = new Reading();
        reading.id = nextId++;
        reading.sensor = sensor;
        reading.whole = whole();
        reading.wholeOrNull = missing() ? null : (Integer) whole();
        reading.big = big();
        reading.bigOrNull = missing() ? null : (Long) big();
        reading.single = (float) real();
        reading.singleOrNull = missing() ? null : (Float) (float) real();
        reading.real = real();
        reading.realOrNull = missing() ? null : (Double) real();
        reading.price = missing() ? null : price();
        return reading;
    }

    private boolean missing() {
        return random.nextInt(5) == 0;
    }

    private int whole() {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt();
            case 1 -> Integer.MAX_VALUE - random.nextInt(2);
            case 2 -> Integer.MIN_VALUE + random.nextInt(2);
            default -> random.nextInt(21) - 10;
        };
    }

    private long big() {
        return random.nextLong() >> (8 + random.nextInt(56));
    }

    double real() {
        return switch (random.nextInt(6)) {
            case 0 -> DOUBLES[random.nextInt(DOUBLES.length)];
            case 1 ->
                    specials && random.nextInt(4) == 0
                            ? SPECIALS[random.nextInt(SPECIALS.length)]
                            : random.nextGaussian();
            case 2 -> anyFinite(random);
            case 3 -> Math.scalb(random.nextGaussian(), random.nextInt(160) - 80);
            default -> random.nextInt(2001) / 10.0 - 100;
        };
    }

    private BigDecimal price() {
        int scale = random.nextInt(3) == 0 ? random.nextInt(4) : 3;
        long limit = (long) Math.pow(10, 9 + scale);
        long unscaled =
                random.nextInt(4) == 0
                        ? limit - 1 - random.nextInt(2)
                        : random.nextLong() % Math.min(limit, 100_000);
        return new BigDecimal(
                BigInteger.valueOf(random.nextBoolean() ? unscaled : -unscaled), scale);
    }

    /** A decimal that {@link Column#PRICE} has no room for. */
    BigDecimal badPrice() {
        return switch (random.nextInt(3)) {
            case 0 -> new BigDecimal("1000000000");
            case 1 -> new BigDecimal("-0.0001");
            default -> new BigDecimal("1e30000");
        };
    }

    /** Any finite double, all exponents alike. */
    static double anyFinite(Random random) {
        double value;
        do {
            value = Double.longBitsToDouble(random.nextLong());
        } while (!Double.isFinite(value));
        return value;
    }
}
