package io.flinkgpu.exact;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Quotients that are rounded once, through decimals. */
final class Oracle {

    // More digits than any number halfway between two doubles has.
    private static final MathContext CUT = new MathContext(1200, RoundingMode.DOWN);

    private Oracle() {}

    /** The nearest double, ties to even; zero is 0.0. */
    static double quotient(BigDecimal dividend, long divisor) {
        if (dividend.signum() == 0) {
            return 0.0;
        }
        BigDecimal exact = BigDecimal.valueOf(divisor);
        BigDecimal quotient = dividend.divide(exact, CUT);
        if (quotient.multiply(exact).compareTo(dividend) != 0) {
            BigDecimal more = quotient.ulp().movePointLeft(CUT.getPrecision());
            quotient = dividend.signum() > 0 ? quotient.add(more) : quotient.subtract(more);
        }
        return Double.parseDouble(quotient.toString());
    }

    /** Whether a double is the nearest to the root of a quotient, ties to even. */
    static boolean isRoot(double root, BigDecimal dividend, long divisor) {
        if (dividend.signum() == 0) {
            return root == 0.0;
        }
        BigDecimal exact = new BigDecimal(root);
        BigDecimal twoBelow = exact.add(new BigDecimal(Math.max(0, Math.nextDown(root))));
        BigDecimal twoAbove = exact.add(new BigDecimal(Math.nextUp(root)));
        // Four times each side, as these are twice the halfway numbers.
        BigDecimal four = dividend.multiply(BigDecimal.valueOf(4));
        BigDecimal by = BigDecimal.valueOf(divisor);
        int below = twoBelow.multiply(twoBelow).multiply(by).compareTo(four);
        int above = twoAbove.multiply(twoAbove).multiply(by).compareTo(four);
        boolean isEven = (Double.doubleToLongBits(root) & 1) == 0;
        return isEven ? below <= 0 && above >= 0 : below < 0 && above > 0;
    }
}
