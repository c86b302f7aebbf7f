package io.flinkgpu.sql.connector;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.LineChunk;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.data.RowData;

import java.util.List;
import java.util.Optional;

/** The job's part of a table of lines: a source of chunks, and what makes rows of them, in one chain. */
final class LinesScan implements DataStreamScanProvider {

    private final LinesTable table;
    private final int[] columns;
    private final List<LineFilter> filters;
    private final TypeInformation<RowData> type;
    private final WatermarkStrategy<RowData> watermarks;
    private final boolean inPlace;

    /**
     * @param columns which columns of the table the rows have, in order
     * @param filters what lines have to be
     * @param type of the rows
     * @param watermarks null if the query needs none
     * @param inPlace whether a row is a view of the last line; not of a table without a format
     */
    LinesScan(
            LinesTable table,
            int[] columns,
            List<LineFilter> filters,
            TypeInformation<RowData> type,
            WatermarkStrategy<RowData> watermarks,
            boolean inPlace) {
        this.table = table;
        this.columns = columns;
        this.filters = filters;
        this.type = type;
        this.watermarks = watermarks;
        this.inPlace = inPlace;
    }

    @Override
    public DataStream<RowData> produceDataStream(
            ProviderContext context, StreamExecutionEnvironment environment) {
        SingleOutputStreamOperator<LineChunk> chunks =
                environment.fromSource(
                        table.files().chunks(),
                        WatermarkStrategy.noWatermarks(),
                        LinesTableFactory.IDENTIFIER);
        set(chunks, "chunks", context);
        SingleOutputStreamOperator<RowData> rows =
                table.format() == null
                        ? chunks.flatMap(new RawLines(columns.length)).returns(type)
                        : GpuStreams.lines(chunks, table.format())
                                .withOptions(table.options())
                                .malformed(table.malformed())
                                .map(
                                        new LineRowMapper(
                                                table.format(), columns, filters, inPlace),
                                        type);
        set(rows.name("gpu-line-rows"), "rows", context);
        if (watermarks == null) {
            return rows;
        }
        SingleOutputStreamOperator<RowData> timed = rows.assignTimestampsAndWatermarks(watermarks);
        set(timed, "watermarks", context);
        return timed;
    }

    @Override
    public boolean isBounded() {
        return table.bounded();
    }

    @Override
    public Optional<Integer> getParallelism() {
        return Optional.ofNullable(table.parallelism());
    }

    private void set(SingleOutputStreamOperator<?> operator, String uid, ProviderContext context) {
        context.generateUid(uid).ifPresent(operator::uid);
        getParallelism().ifPresent(operator::setParallelism);
    }
}
