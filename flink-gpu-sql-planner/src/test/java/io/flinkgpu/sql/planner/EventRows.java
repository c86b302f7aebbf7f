package io.flinkgpu.sql.planner;

import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;

/** Random rows of events, about in the order of their time {@code ts}; numbers are small or as far as types go. */
final class EventRows {

    static final String SCHEMA =
            "k STRING, k2 INT, k3 BIGINT NOT NULL, k4 VARBINARY(40), k5 DECIMAL(24, 3), k6 TIMESTAMP(9),"
                    + " ti TINYINT, si SMALLINT, i INT, l BIGINT, n BIGINT NOT NULL, de DECIMAL(9, 2),"
                    + " d18 DECIMAL(18, 4), d30 DECIMAL(30, 5), dt DATE, tm TIME, t3 TIMESTAMP(3), f FLOAT,"
                    + " d DOUBLE, b BOOLEAN, c BOOLEAN NOT NULL";

    private static final List<String> KEYS =
            List.of("", "a", "seven77", "eight888", "a longer key than that", "é", "😀");

    private static final double[] DOUBLES = {
        0, -0.0, 0.1, 1e-300, -1e300, Double.NaN, Double.POSITIVE_INFINITY, -1
    };

    private final RowType type;
    private final RowDataSerializer serializer;
    private final long baseMillis;
    private final long stepMillis;
    private final int lateMillis;

    /**
     * @param stepMillis from an event to the next one
     * @param lateMillis how much later an event may come than others after it
     */
    EventRows(RowType type, long baseMillis, long stepMillis, int lateMillis) {
        this.type = type;
        this.serializer = new RowDataSerializer(type);
        this.baseMillis = baseMillis;
        this.stepMillis = stepMillis;
        this.lateMillis = lateMillis;
    }

    /** The row of a number, as objects or as bytes. */
    RowData row(long index, Random random) {
        GenericRowData row = new GenericRowData(type.getFieldCount());
        for (int i = 0; i < row.getArity(); i++) {
            LogicalType field = type.getTypeAt(i);
            boolean isTime = type.getFieldNames().get(i).equals("ts");
            row.setField(
                    i,
                    isTime
                            ? TimestampData.fromEpochMillis(
                                    baseMillis
                                            + index * stepMillis
                                            - random.nextInt(lateMillis + 1))
                            : field.isNullable() && random.nextInt(5) == 0
                                    ? null
                                    : value(field, random));
        }
        return random.nextBoolean() ? row : serializer.toBinaryRow(row, true);
    }

    private static Object value(LogicalType type, Random random) {
        return switch (type.getTypeRoot()) {
            case VARCHAR, CHAR -> StringData.fromString(KEYS.get(random.nextInt(KEYS.size())));
            case VARBINARY -> new byte[random.nextInt(3) * 7];
            case TINYINT -> (byte) integer(random, Byte.MAX_VALUE);
            case SMALLINT -> (short) integer(random, Short.MAX_VALUE);
            case INTEGER -> (int) integer(random, Integer.MAX_VALUE);
            case BIGINT -> integer(random, Long.MAX_VALUE);
            case DATE -> random.nextInt(20_000);
            case TIME_WITHOUT_TIME_ZONE -> random.nextInt(86_400) * 1000;
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                    TimestampData.fromEpochMillis(random.nextInt(4) * 1_000_000L);
            case FLOAT -> (float) DOUBLES[random.nextInt(DOUBLES.length)];
            case DOUBLE -> DOUBLES[random.nextInt(DOUBLES.length)];
            case BOOLEAN -> random.nextBoolean();
            case DECIMAL -> decimal((DecimalType) type, random);
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private static DecimalData decimal(DecimalType type, Random random) {
        BigInteger bound = BigInteger.TEN.pow(type.getPrecision()).subtract(BigInteger.ONE);
        BigInteger unscaled =
                random.nextInt(3) == 0
                        ? bound
                        : random.nextInt(3) == 0
                                ? bound.negate()
                                : BigInteger.valueOf(random.nextInt(5));
        return DecimalData.fromBigDecimal(
                new BigDecimal(unscaled, type.getScale()), type.getPrecision(), type.getScale());
    }

    private static long integer(Random random, long max) {
        return switch (random.nextInt(6)) {
            case 0 -> max;
            case 1 -> -max - 1;
            default -> random.nextInt(6);
        };
    }
}
