package io.flinkgpu.sql.connector;

import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.parse.LineParser;
import io.flinkgpu.sql.aggregate.InPlaceSerializer;

import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A row in place has the fields of the row that is built of the same line, where it is read and where it is written.
 *
 * <p>Covers: LineRow, LineRowMapper, InPlaceSerializer.
 */
class LineRowTest {

    private static final Delimited FORMAT =
            Delimited.of(';')
                    .string("k")
                    .intNumber("i")
                    .longNumber("l")
                    .skipped()
                    .doubleNumber("d")
                    .decimal("de", 9, 2)
                    .isoTimestamp("ts")
                    .epochMillis("ms");

    /** In another order than in the line. */
    private static final int[] COLUMNS = {6, 0, 1, 2, 3, 4, 5, 7};

    private static final RowType TYPE =
            RowType.of(
                    new TimestampType(3),
                    new VarCharType(VarCharType.MAX_LENGTH),
                    new IntType(),
                    new BigIntType(),
                    new IntType(),
                    new DoubleType(),
                    new DecimalType(9, 2),
                    new TimestampType(3));

    private static final List<String> LINES =
            List.of(
                    "a;1;-2;x;-0.0;1.5;2024-05-01T00:00:00.001Z;7",
                    ";;;;;;1969-12-31T23:59:59.999Z;-1",
                    "a longer text, \u00e9 \ud83d\ude00;2147483647;-9223372036854775808;;1e300;-9999999.99;"
                            + "2024-05-01 00:00:00;0");

    private final LineParser parser = new LineParser(FORMAT);
    private final RowDataSerializer plain = new RowDataSerializer(TYPE);
    private final InPlaceSerializer inPlace = new InPlaceSerializer(TYPE);

    @Test
    void hasTheFieldsOfARowThatIsBuilt() throws Exception {
        LineRowMapper views = new LineRowMapper(FORMAT, COLUMNS, List.of(), true);
        LineRowMapper rows = new LineRowMapper(FORMAT, COLUMNS, List.of(), false);
        RowData first = null;
        for (String line : LINES) {
            parse(line);
            RowData view = views.map(parser);
            RowData expected = plain.toBinaryRow(rows.map(parser), true);
            first = first == null ? view : first;
            assertThat(view).as("reused").isSameAs(first);
            assertThat(view.getArity()).isEqualTo(COLUMNS.length);
            assertThat(view.getRowKind()).isEqualTo(RowKind.INSERT);
            assertThat(plain.toBinaryRow(view, true)).as(line).isEqualTo(expected);
            DataOutputSerializer written = new DataOutputSerializer(64);
            inPlace.duplicate().serialize(view, written);
            assertThat(inPlace.deserialize(new DataInputDeserializer(written.getCopyOfBuffer())))
                    .as(line)
                    .isEqualTo(expected);
        }
    }

    @Test
    void leavesOutWhatAFilterDoes() {
        LineFilter filter = LineFilter.number(1, Comparison.GREATER, 0);
        LineRowMapper views = new LineRowMapper(FORMAT, COLUMNS, List.of(filter), true);
        parse(LINES.get(0));
        assertThat(views.map(parser)).isNotNull();
        parse(LINES.get(1));
        assertThat(views.map(parser)).isNull();
    }

    @Test
    void isNotCopied() {
        parse(LINES.get(0));
        RowData view = new LineRowMapper(FORMAT, COLUMNS, List.of(), true).map(parser);
        assertThat(inPlace.copy(view)).isSameAs(view);
        assertThat(inPlace.copy(view, inPlace.createInstance())).isSameAs(view);
        assertThat(inPlace.duplicate().copy(view)).isSameAs(view);
    }

    @Test
    void refusesWhatNoLineHas() {
        parse(LINES.get(0));
        RowData view = new LineRowMapper(FORMAT, COLUMNS, List.of(), true).map(parser);
        List<Consumer<RowData>> readers =
                List.of(
                        row -> row.getBoolean(0),
                        row -> row.getByte(0),
                        row -> row.getShort(0),
                        row -> row.getFloat(0),
                        row -> row.getRawValue(0),
                        row -> row.getBinary(0),
                        row -> row.getArray(0),
                        row -> row.getMap(0),
                        row -> row.getRow(0, 1),
                        row -> row.getVariant(0),
                        row -> row.setRowKind(RowKind.DELETE));
        for (Consumer<RowData> reader : readers) {
            assertThatThrownBy(() -> reader.accept(view))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("a line");
        }
        view.setRowKind(RowKind.INSERT);
    }

    private void parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        assertThat(parser.parse(bytes, 0, bytes.length)).isNull();
    }
}
