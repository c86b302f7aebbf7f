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
}
