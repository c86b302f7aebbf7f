package io.flinkgpu.windows;

import org.apache.datasketches.hll.HllSketch;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;

/** Arithmetic of the judge: every number is a {@link BigDecimal}, and rounding is done once. */
final class Exactly {

    /** Half a unit above the greatest double: from here on a sum is infinite. */
    private static final BigDecimal OVERFLOW =
            new BigDecimal(Double.MAX_VALUE).add(new BigDecimal(Math.scalb(1.0, 970)));

    private Exactly() {}

    /**
     * The double nearest to {@code sum / count}, ties to even: whichever of the doubles around an estimate
     * is the least far away, by exact arithmetic.
     */
    static double quotient(BigDecimal sum, long count) {
        if (sum.signum() == 0) {
            return 0.0;
        }
        BigDecimal divisor = BigDecimal.valueOf(count);
        if (sum.abs().compareTo(OVERFLOW.multiply(divisor)) >= 0) {
            return sum.signum() * Double.POSITIVE_INFINITY;
        }
        double estimate = sum.divide(divisor, MathContext.DECIMAL128).doubleValue();
        if (Double.isInfinite(estimate)) {
            estimate = Math.copySign(Double.MAX_VALUE, estimate);
        }
        double best = estimate;
        for (double candidate : new double[] {Math.nextDown(estimate), Math.nextUp(estimate)}) {
            if (!Double.isInfinite(candidate)) {
                int nearer =
                        distance(sum, divisor, candidate).compareTo(distance(sum, divisor, best));
                if (nearer < 0 || nearer == 0 && isEven(candidate)) {
                    best = candidate;
                }
            }
        }
        return best == 0.0 ? Math.copySign(0.0, sum.signum()) : best;
    }

    /** The double nearest to the root of {@code number / divisor}, found likewise. */
    static double rootOfQuotient(BigDecimal number, long divisor) {
        if (number.signum() == 0) {
            return 0.0;
        }
        BigDecimal by = BigDecimal.valueOf(divisor);
        double estimate =
                number.divide(by, MathContext.DECIMAL128)
                        .sqrt(MathContext.DECIMAL128)
                        .doubleValue();
        if (Double.isInfinite(estimate)) {
            return estimate;
        }
        double above = Math.nextUp(estimate);
        if (!Double.isInfinite(above)) {
            int toAbove = compareToRoot(estimate, above, number, by);
            if (toAbove < 0 || toAbove == 0 && isEven(above)) {
                return above;
            }
        }
        if (estimate == 0.0) {
            return estimate;
        }
        double below = Math.nextDown(estimate);
        int toBelow = compareToRoot(estimate, below, number, by);
        return toBelow > 0 || toBelow == 0 && isEven(below) ? below : estimate;
    }

    /** How the number halfway between two doubles compares with the root of {@code number / by}. */
    private static int compareToRoot(double one, double other, BigDecimal number, BigDecimal by) {
        BigDecimal twice = new BigDecimal(one).add(new BigDecimal(other));
        return twice.multiply(twice).multiply(by).compareTo(number.multiply(BigDecimal.valueOf(4)));
    }

    /** The variance or, if {@code root} says so, its root; null if there is none. */
    static Double spread(List<BigDecimal> numbers, boolean ofSample, boolean root) {
        long n = numbers.size();
        BigDecimal sum = numbers.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal squares =
                numbers.stream()
                        .map(number -> number.multiply(number))
                        .reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal spread = squares.multiply(BigDecimal.valueOf(n)).subtract(sum.multiply(sum));
        long divisor = n * (ofSample ? n - 1 : n);
        if (divisor == 0) {
            return null;
        }
        return root ? rootOfQuotient(spread, divisor) : quotient(spread, divisor);
    }

    /** The sum of finite doubles, counted in multiples of the least double. */
    static BigDecimal sum(double... values) {
        BigInteger units = BigInteger.ZERO;
        for (double value : values) {
            long bits = Double.doubleToLongBits(Math.abs(value));
            long exponent = bits >>> 52;
            long fraction = exponent == 0 ? bits : bits & (1L << 52) - 1 | 1L << 52;
            BigInteger magnitude =
                    BigInteger.valueOf(fraction).shiftLeft((int) Math.max(exponent - 1, 0));
            units = value < 0 ? units.subtract(magnitude) : units.add(magnitude);
        }
        return new BigDecimal(units).divide(new BigDecimal(BigInteger.ONE.shiftLeft(1074)));
    }

    private static BigDecimal distance(BigDecimal sum, BigDecimal divisor, double candidate) {
        return sum.subtract(new BigDecimal(candidate).multiply(divisor)).abs();
    }

    private static boolean isEven(double value) {
        return (Double.doubleToLongBits(value) & 1) == 0;
    }

    /** A result as text that differs whenever its class, its scale or one of its bits does. */
    static String text(Object result) {
        if (result == null) {
            return "null";
        }
        if (result instanceof Double value) {
            return "double " + Double.toHexString(value);
        }
        if (result instanceof Float value) {
            return "float " + Float.toHexString(value);
        }
        if (result instanceof List<?> list) {
            return list.stream().map(Exactly::text).toList().toString();
        }
        if (result instanceof byte[] sketch) {
            return "Long " + Math.round(HllSketch.heapify(sketch).getEstimate());
        }
        return result.getClass().getSimpleName() + " " + result;
    }
}
