package io.flinkgpu.cells;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.exact.DoubleOrder;

import org.apache.flink.annotation.Internal;

import java.math.BigDecimal;

/** Numbers of any type as longs that have their order, doubles in that of {@link DoubleOrder}. */
@Internal
public final class OrderedNumbers {

    private OrderedNumbers() {}

    /** The long of a row's word. */
    public static long of(long word, ColumnType type) {
        return type.isFloating() ? DoubleOrder.toOrdered(word) : word;
    }

    /** The number of a long, as the object of its type. */
    public static Object value(long ordered, ColumnType type) {
        return switch (type.kind()) {
            case INT -> Math.toIntExact(ordered);
            case LONG -> ordered;
            case FLOAT -> (float) toDouble(ordered);
            case DOUBLE -> toDouble(ordered);
            case DECIMAL -> BigDecimal.valueOf(ordered, type.scale());
            case TEXT, BYTES, BOOLEAN, TIMESTAMP, LIST, VECTOR ->
                    throw type.refusedBy("an aggregate");
        };
    }

    private static double toDouble(long ordered) {
        return Double.longBitsToDouble(DoubleOrder.toBits(ordered));
    }
}
