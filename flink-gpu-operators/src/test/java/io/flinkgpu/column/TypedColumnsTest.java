package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.expression.Columns;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Objects of every type go into a batch and come out as they were.
 *
 * <p>Covers: Vectors, FixedBuffers, ListBuffers, ResultReader.
 */
class TypedColumnsTest {

    private static final int ROWS = 100;

    static Stream<ColumnType> types() {
        List<ColumnType> types = new ArrayList<>();
        List<ColumnType> plain =
                List.of(
                        ColumnType.TEXT,
                        ColumnType.BYTES,
                        ColumnType.INT,
                        ColumnType.LONG,
                        ColumnType.FLOAT,
                        ColumnType.DOUBLE,
                        ColumnType.BOOLEAN,
                        ColumnType.TIMESTAMP,
                        ColumnType.decimal(18, 4));
        types.addAll(plain);
        plain.forEach(element -> types.add(ColumnType.list(element)));
        List.of(ColumnType.INT, ColumnType.LONG, ColumnType.FLOAT, ColumnType.DOUBLE)
                .forEach(element -> types.add(ColumnType.vector(3, element)));
        return types.stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    void comeOutAsTheyWere(ColumnType type) {
        List<Object> values = values(type, new Random(type.toString().hashCode()));
        try (BufferAllocator allocator = new RootAllocator();
                ColumnBatch batch = batch(allocator, type, values)) {
            assertThat(read(batch, type)).usingRecursiveComparison().isEqualTo(values);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void slicesAtAnyOffsetAreTheSameRows(ColumnType type) {
        List<Object> values = values(type, new Random(1));
        try (BufferAllocator allocator = new RootAllocator();
                ColumnBatch batch = batch(allocator, type, values)) {
            for (int first : new int[] {0, 1, 3, 8, 13, 64}) {
                for (int rows : new int[] {0, 1, 7, 31}) {
                    try (ColumnBatch slice = batch.slice(first, rows)) {
                        assertThat(read(slice, type))
                                .usingRecursiveComparison()
                                .isEqualTo(values.subList(first, first + rows));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void sharedColumnsOutliveTheirBatch(ColumnType type) {
        List<Object> values = values(type, new Random(2));
        try (BufferAllocator allocator = new RootAllocator()) {
            FieldVector shared;
            try (ColumnBatch batch = batch(allocator, type, values)) {
                shared = Vectors.share(batch.vector(0));
            }
            try (ColumnBatch batch = Vectors.batch(List.of(shared), ROWS, 0)) {
                assertThat(read(batch, type)).usingRecursiveComparison().isEqualTo(values);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void smallBatchesTakeNoMoreThanTheySay(ColumnType type) {
        List<Object> values = values(type, new Random(3));
        List<Object> seen = new ArrayList<>();
        int maxBytes = 256;
        long most = RowBatchBuilder.fullBatchBytes(10, maxBytes, List.of(type));
        RowReader<Object> reader = reader(type);
        RowValues row = new RowValues(1);
        try (BufferAllocator allocator = new RootAllocator();
                RowBatchBuilder builder =
                        new RowBatchBuilder(allocator, 10, maxBytes, List.of("c"), List.of(type))) {
            for (Object value : values) {
                reader.read(value, row);
                if (!builder.append(row)) {
                    assertThat(builder.memoryBytes()).isLessThanOrEqualTo(most);
                    drain(builder, type, seen);
                    assertThat(builder.append(row)).isTrue();
                }
            }
            drain(builder, type, seen);
        }
        assertThat(seen).usingRecursiveComparison().isEqualTo(values);
    }

    @Test
    void refusesAVectorOfAnotherLength() {
        RowReader<Object> reader = reader(ColumnType.vector(3, ColumnType.FLOAT));
        assertThatThrownBy(() -> reader.read(new float[2], new RowValues(1)))
                .hasMessageContaining("column='c'")
                .hasMessageContaining("elements=2, type=VECTOR(3, FLOAT)");
    }

    @Test
    void refusesADecimalWithMoreDigits() {
        RowReader<Object> reader = reader(ColumnType.decimal(3, 1));
        assertThatThrownBy(() -> reader.read(new BigDecimal("123.4"), new RowValues(1)))
                .hasMessageContaining("type=DECIMAL(3, 1)");
    }

    private static void drain(RowBatchBuilder builder, ColumnType type, List<Object> into) {
        try (ColumnBatch batch = builder.build()) {
            into.addAll(read(batch, type));
        }
    }

    private static RowReader<Object> reader(ColumnType type) {
        Columns<Object> columns = Columns.<Object>empty().column("c", type, record -> record);
        return new RowReader<>(columns, List.of("c"), ErrorValues.HIDDEN);
    }

    private static ColumnBatch batch(
            BufferAllocator allocator, ColumnType type, List<Object> values) {
        RowReader<Object> reader = reader(type);
        RowValues row = new RowValues(1);
        try (RowBatchBuilder builder =
                new RowBatchBuilder(allocator, ROWS, 1 << 16, List.of("c"), List.of(type))) {
            for (Object value : values) {
                reader.read(value, row);
                assertThat(builder.append(row)).isTrue();
            }
            return builder.build();
        }
    }

    private static List<Object> read(ColumnBatch batch, ColumnType type) {
        ResultReader reader = new ResultReader(batch, 0, type);
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            values.add(reader.get(row));
        }
        return values;
    }

    private static List<Object> values(ColumnType type, Random random) {
        Object[] values = new Object[ROWS];
        Arrays.setAll(values, row -> row % 5 == 2 ? null : value(type, random));
        return Arrays.asList(values);
    }

    private static Object value(ColumnType type, Random random) {
        return switch (type.kind()) {
            case TEXT -> "\u00e9x".repeat(random.nextInt(5));
            case BYTES -> bytes(random);
            case INT -> random.nextInt();
            case LONG, TIMESTAMP -> random.nextLong();
            case FLOAT -> random.nextFloat();
            case DOUBLE -> random.nextDouble();
            case BOOLEAN -> random.nextBoolean();
            case DECIMAL -> BigDecimal.valueOf(random.nextInt(), type.scale());
            case LIST -> {
                List<Object> list = new ArrayList<>();
                for (int left = random.nextInt(4); left > 0; left--) {
                    list.add(random.nextInt(4) == 0 ? null : value(type.element(), random));
                }
                yield list;
            }
            case VECTOR -> vector(type.element(), random);
        };
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(6)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Object vector(ColumnType element, Random random) {
        if (element == ColumnType.INT) {
            return random.ints(3).toArray();
        }
        if (element == ColumnType.LONG) {
            return random.longs(3).toArray();
        }
        return element == ColumnType.DOUBLE
                ? random.doubles(3).toArray()
                : new float[] {random.nextFloat(), random.nextFloat(), -0.0f};
    }
}
