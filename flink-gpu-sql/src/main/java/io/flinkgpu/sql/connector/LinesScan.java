package io.flinkgpu.sql.connector;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.data.RowData;

import java.util.Optional;

/** The job's part of a table of lines: a source of chunks, and what makes rows of them, in one chain. */
final class LinesScan implements DataStreamScanProvider {

    private final LinesTable table;
    private final LineOperators operators;
    private final WatermarkStrategy<RowData> watermarks;

    /**
     * @param operators what makes rows
     * @param watermarks null if the query needs none
     */
    LinesScan(LinesTable table, LineOperators operators, WatermarkStrategy<RowData> watermarks) {
        this.table = table;
        this.operators = operators;
        this.watermarks = watermarks;
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
        SingleOutputStreamOperator<RowData> rows = operators.read(chunks);
        set(rows.name("gpu-line-rows"), "rows", context);
        if (watermarks == null) {
            return rows;
        }
        SingleOutputStreamOperator<RowData> timed = operators.timed(rows, watermarks);
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
