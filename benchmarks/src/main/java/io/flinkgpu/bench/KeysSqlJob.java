package io.flinkgpu.bench;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.AggregatePhaseStrategy;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DoubleType;

import java.time.ZoneOffset;

/**
 * The windows of {@link KeysJobs} by Flink SQL, in two phases where its planner can. Rows come and leave
 * as the table runtime has them, so that nothing is converted. Mini-batches do not apply to windows,
 * but to a running aggregate.
 */
final class KeysSqlJob {

    /** Rows of a subtask that SQL's mini-batches have at most: as many as it wants in 100 ms. */
    private static final long MINIBATCH_ROWS = 1_000_000;

    private KeysSqlJob() {}

    /**
     * Whether SQL has such windows. The global one would give a changelog, as a running aggregate does,
     * which is compared with it.
     */
    static boolean has(KeysCell cell) {
        return switch (cell.windows()) {
            case GLOBAL, COUNT, EARLY -> false;
            default -> true;
        };
    }

    static void run(StreamExecutionEnvironment environment, KeysCell cell, boolean held) {
        StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
        tables.getConfig().setLocalTimeZone(ZoneOffset.UTC);
        tables.getConfig()
                .set(OptimizerConfigOptions.TABLE_OPTIMIZER_AGG_PHASE_STRATEGY, phases(cell));
        KeysSource.Maker<RowData> maker = GenericRowData::of;
        DataStream<RowData> rows =
                environment.fromSource(
                        new KeysSource<>(
                                cell,
                                maker,
                                InternalTypeInfo.ofFields(new BigIntType(), new DoubleType()),
                                held),
                        WatermarkStrategy.noWatermarks(),
                        "rows");
        tables.createTemporaryView(
                "readings",
                rows,
                Schema.newBuilder()
                        .column("f0", DataTypes.BIGINT())
                        .column("f1", DataTypes.DOUBLE())
                        .columnByMetadata("rowtime", DataTypes.TIMESTAMP_LTZ(3))
                        .watermark("rowtime", "SOURCE_WATERMARK()")
                        .build());
        if (cell.windows() == KeysCell.Windows.RUNNING) {
            running(tables);
            return;
        }
        DataType result =
                DataTypes.ROW(
                                DataTypes.BIGINT(),
                                DataTypes.TIMESTAMP(3),
                                DataTypes.BIGINT(),
                                DataTypes.DOUBLE(),
                                DataTypes.DOUBLE(),
                                DataTypes.DOUBLE())
                        .bridgedTo(RowData.class);
        tables.<RowData>toDataStream(
                        tables.sqlQuery(
                                "SELECT f0, window_start, COUNT(f1), MIN(f1), AVG(f1), MAX(f1) FROM "
                                        + windows(cell)
                                        + " GROUP BY f0, window_start, window_end"),
                        result)
                .map(
                        row ->
                                KeysTally.window(
                                        row.getLong(0),
                                        row.getTimestamp(1, 3).getMillisecond(),
                                        row.getLong(2),
                                        row.getDouble(3),
                                        row.getDouble(4),
                                        row.getDouble(5)),
                        KeysJobs.RESULT)
                .sinkTo(new KeysTally());
    }

    /** Updates of groups without windows, in mini-batches as long as ours. */
    private static void running(StreamTableEnvironment tables) {
        tables.getConfig().set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ENABLED, true);
        tables.getConfig()
                .set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ALLOW_LATENCY, KeysJobs.UPDATES);
        tables.getConfig().set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_SIZE, MINIBATCH_ROWS);
        tables.toChangelogStream(
                        tables.sqlQuery(
                                "SELECT f0, COUNT(f1), MIN(f1), AVG(f1), MAX(f1) FROM readings GROUP BY f0"),
                        Schema.derived(),
                        ChangelogMode.upsert())
                .map(
                        row ->
                                KeysTally.window(
                                        row.<Long>getFieldAs(0),
                                        0,
                                        row.<Long>getFieldAs(1),
                                        row.<Double>getFieldAs(2),
                                        row.<Double>getFieldAs(3),
                                        row.<Double>getFieldAs(4)),
                        KeysJobs.RESULT)
                .sinkTo(new KeysTally());
    }

    private static AggregatePhaseStrategy phases(KeysCell cell) {
        return cell.windows() == KeysCell.Windows.SESSION
                ? AggregatePhaseStrategy.AUTO
                : AggregatePhaseStrategy.TWO_PHASE;
    }

    private static String windows(KeysCell cell) {
        String table = "TABLE readings";
        String time = ", DESCRIPTOR(rowtime), INTERVAL ";
        return switch (cell.windows()) {
            case TUMBLING -> "TUMBLE(" + table + time + "'1' SECOND)";
            case ONE -> "TUMBLE(" + table + time + "'1' DAY)";
            case SLIDING -> "HOP(" + table + time + "'1' SECOND, INTERVAL '60' SECOND)";
            case SESSION -> "SESSION(" + table + " PARTITION BY f0" + time + "'0.100' SECOND)";
            case GLOBAL, COUNT, EARLY, RUNNING ->
                    throw new IllegalArgumentException(
                            "SQL has no such windows: windows=" + cell.windows());
        };
    }
}
