package io.flinkgpu.sql.connector;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.Lines;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.table.data.RowData;

import java.util.List;

/** The two operators behind a source of lines: what reads chunks, and what makes watermarks. */
interface LineOperators {

    /** What reads chunks. */
    SingleOutputStreamOperator<RowData> read(DataStream<LineChunk> chunks);

    /** What makes watermarks, or stands in its place. */
    SingleOutputStreamOperator<RowData> timed(
            SingleOutputStreamOperator<RowData> rows, WatermarkStrategy<RowData> watermarks);

    /**
     * A row of each line.
     *
     * @param columns which columns of the table the rows have, in order
     * @param filters what lines have to be
     * @param type of the rows
     * @param inPlace whether a row is a view of the last line; not of a table without a format
     */
    static LineOperators rows(
            LinesTable table,
            int[] columns,
            List<LineFilter> filters,
            TypeInformation<RowData> type,
            boolean inPlace) {
        return new LineOperators() {
            @Override
            public SingleOutputStreamOperator<RowData> read(DataStream<LineChunk> chunks) {
                return table.format() == null
                        ? chunks.flatMap(new RawLines(columns.length)).returns(type)
                        : GpuStreams.lines(chunks, table.format())
                                .withOptions(table.options())
                                .malformed(table.malformed())
                                .map(
                                        new LineRowMapper(
                                                table.format(), columns, filters, inPlace),
                                        type);
            }

            @Override
            public SingleOutputStreamOperator<RowData> timed(
                    SingleOutputStreamOperator<RowData> rows,
                    WatermarkStrategy<RowData> watermarks) {
                return rows.assignTimestampsAndWatermarks(watermarks);
            }
        };
    }

    /** Rows of another operator's, which makes the watermarks, too. */
    static LineOperators of(
            OneInputStreamOperatorFactory<Lines, RowData> operators,
            TypeInformation<RowData> type) {
        return new LineOperators() {
            @Override
            @SuppressWarnings("unchecked") // What reads lines reads chunks.
            public SingleOutputStreamOperator<RowData> read(DataStream<LineChunk> chunks) {
                OneInputStreamOperatorFactory<?, RowData> ofLines = operators;
                return chunks.transform(
                        "lines", type, (OneInputStreamOperatorFactory<LineChunk, RowData>) ofLines);
            }

            @Override
            public SingleOutputStreamOperator<RowData> timed(
                    SingleOutputStreamOperator<RowData> rows,
                    WatermarkStrategy<RowData> watermarks) {
                return rows.map(new SameRow()).returns(type).name("Watermarks");
            }
        };
    }
}
