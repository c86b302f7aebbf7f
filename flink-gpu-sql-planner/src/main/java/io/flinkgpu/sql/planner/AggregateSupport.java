package io.flinkgpu.sql.planner;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.sql.aggregate.Accumulator;
import io.flinkgpu.sql.aggregate.AggregatedColumn;

import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.planner.functions.aggfunctions.AvgAggFunction;
import org.apache.flink.table.planner.functions.aggfunctions.Count1AggFunction;
import org.apache.flink.table.planner.functions.aggfunctions.CountAggFunction;
import org.apache.flink.table.planner.functions.aggfunctions.MaxAggFunction;
import org.apache.flink.table.planner.functions.aggfunctions.MinAggFunction;
import org.apache.flink.table.planner.functions.aggfunctions.Sum0AggFunction;
import org.apache.flink.table.planner.functions.aggfunctions.SumAggFunction;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

import java.util.List;
import java.util.Optional;

/**
 * The aggregate functions whose local half is in the library's tables. The only place that knows: plans, EXPLAIN
 * and the table in docs/sql.md are made of it.
 */
final class AggregateSupport {

    /** A decimal of so many digits is a {@code long} in Flink's rows. */
    private static final int LONG_DIGITS = 18;

    /** A timestamp of so many digits likewise. */
    private static final int MILLIS = 3;

    private static final String SUMMED =
            "`TINYINT` to `BIGINT`, `DECIMAL` of up to 18 digits; `DOUBLE` with"
                    + " `gpu.sql.float-sums = EXACT`";

    private static final String COMPARED =
            "likewise, and `DATE`, `TIME`, `TIMESTAMP` and `TIMESTAMP_LTZ` of up to 3 digits";

    private static final List<Function> FUNCTIONS =
            List.of(
                    new Function(
                            "COUNT",
                            "rows, or any type",
                            Argument.ANY,
                            List.of(),
                            List.of(Accumulator.Kind.COUNT),
                            List.of(Count1AggFunction.class, CountAggFunction.class)),
                    new Function(
                            "SUM",
                            SUMMED,
                            Argument.NUMBER,
                            List.of(Aggregate.SUM),
                            List.of(Accumulator.Kind.SUM),
                            List.of(SumAggFunction.class)),
                    new Function(
                            "AVG",
                            "likewise",
                            Argument.NUMBER,
                            List.of(Aggregate.SUM),
                            List.of(Accumulator.Kind.SUM_OR_ZERO, Accumulator.Kind.COUNT),
                            List.of(AvgAggFunction.class)),
                    new Function(
                            "MIN",
                            COMPARED,
                            Argument.ORDERED,
                            List.of(Aggregate.MIN),
                            List.of(Accumulator.Kind.MIN),
                            List.of(MinAggFunction.class)),
                    new Function(
                            "MAX",
                            "likewise",
                            Argument.ORDERED,
                            List.of(Aggregate.MAX),
                            List.of(Accumulator.Kind.MAX),
                            List.of(MaxAggFunction.class)),
                    new Function(
                            "$SUM0",
                            "as `SUM`; what Flink makes of a `COUNT` that it splits",
                            Argument.NUMBER,
                            List.of(Aggregate.SUM),
                            List.of(Accumulator.Kind.SUM_OR_ZERO),
                            List.of(Sum0AggFunction.class)));

    /** What a function may be of. */
    private enum Argument {
        ANY,
        NUMBER,
        ORDERED
    }

    /**
     * An aggregate function.
     *
     * @param name in SQL
     * @param of what it may be of
     * @param argument likewise
     * @param kept of the values, beside their count
     * @param accumulators what Flink accumulates, in its order
     * @param flinks Flink's functions
     */
    record Function(
            String name,
            String of,
            Argument argument,
            List<Aggregate> kept,
            List<Accumulator.Kind> accumulators,
            List<Class<? extends UserDefinedFunction>> flinks) {

        /**
         * How the values of a type are read.
         *
         * @throws UnsupportedException if they are not
         */
        AggregatedColumn.Kind kind(LogicalType type, boolean exactSums)
                throws UnsupportedException {
            return switch (argument) {
                case ANY -> AggregatedColumn.Kind.COUNTED;
                case NUMBER -> number(type, exactSums).orElseThrow(() -> refused(type));
                case ORDERED -> {
                    Optional<AggregatedColumn.Kind> time = time(type);
                    yield time.isPresent()
                            ? time.get()
                            : number(type, exactSums).orElseThrow(() -> refused(type));
                }
            };
        }

        private UnsupportedException refused(LogicalType type) {
            return UnsupportedException.named(
                    name
                            + ": of "
                            + type.copy(true).asSummaryString()
                            + (type.is(LogicalTypeRoot.DOUBLE)
                                    ? " depends on the order of rows in Flink; gpu.sql.float-sums ="
                                            + " EXACT does not"
                                    : " is not supported"));
        }
    }

    private AggregateSupport() {}

    /** The function that one of Flink's is, if it is supported. */
    static Optional<Function> of(UserDefinedFunction flinks) {
        return FUNCTIONS.stream()
                .filter(it -> it.flinks().stream().anyMatch(type -> type.isInstance(flinks)))
                .findFirst();
    }

    /** All functions, in the order of the table in the docs. */
    static List<Function> functions() {
        return FUNCTIONS;
    }

    private static Optional<AggregatedColumn.Kind> number(LogicalType type, boolean exactSums) {
        return Optional.ofNullable(
                switch (type.getTypeRoot()) {
                    case TINYINT -> AggregatedColumn.Kind.BYTE;
                    case SMALLINT -> AggregatedColumn.Kind.SHORT;
                    case INTEGER -> AggregatedColumn.Kind.INT;
                    case BIGINT -> AggregatedColumn.Kind.LONG;
                    case DECIMAL ->
                            isLong((DecimalType) type) ? AggregatedColumn.Kind.DECIMAL : null;
                    case DOUBLE -> exactSums ? AggregatedColumn.Kind.DOUBLE : null;
                    default -> null;
                });
    }

    private static Optional<AggregatedColumn.Kind> time(LogicalType type) {
        return Optional.ofNullable(
                switch (type.getTypeRoot()) {
                    case DATE, TIME_WITHOUT_TIME_ZONE -> AggregatedColumn.Kind.INT;
                    case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                            LogicalTypeChecks.getPrecision(type) <= MILLIS
                                    ? AggregatedColumn.Kind.TIMESTAMP
                                    : null;
                    default -> null;
                });
    }

    private static boolean isLong(DecimalType type) {
        return type.getPrecision() <= LONG_DIGITS;
    }

    /** What a field of an accumulator takes in a binary row. */
    static int bytes(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case TINYINT -> Byte.BYTES;
            case SMALLINT -> Short.BYTES;
            case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE -> Integer.BYTES;
            case DECIMAL -> isLong((DecimalType) type) ? Long.BYTES : Accumulator.DECIMAL_BYTES;
            default -> Long.BYTES;
        };
    }
}
