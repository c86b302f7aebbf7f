package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Decimals as numbers of units. A scale can be huge: nothing is computed before it is known to fit. */
final class Decimals {

    private Decimals() {}

    /** Whether a value has more digits before the point than a type. */
    static boolean isTooLarge(BigDecimal value, ColumnType type) {
        return value.signum() != 0
                && (long) value.precision() - value.scale() > type.precision() - type.scale();
    }

    /** The units of a value that is not too large; null if it has more digits after the point than its type. */
    static BigInteger units(BigDecimal value, ColumnType type) {
        if (value.signum() == 0) {
            return BigInteger.ZERO;
        }
        if ((long) value.scale() - type.scale() >= value.precision()) {
            return null;
        }
        BigDecimal scaled = value.stripTrailingZeros();
        return scaled.scale() <= type.scale()
                ? scaled.setScale(type.scale()).unscaledValue()
                : null;
    }
}
