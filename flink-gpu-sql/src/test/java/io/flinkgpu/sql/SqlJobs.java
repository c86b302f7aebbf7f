package io.flinkgpu.sql;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;

import java.util.List;

/** Environments for SQL with the planner that Flink ships, and what queries give. */
public final class SqlJobs {

    private SqlJobs() {}

    /** One TaskManager with four slots. */
    public static MiniClusterExtension cluster() {
        return new MiniClusterExtension(
                new MiniClusterResourceConfiguration.Builder()
                        .setNumberTaskManagers(1)
                        .setNumberSlotsPerTaskManager(4)
                        .build());
    }

    /** Streams, for a session beside them. */
    public static StreamExecutionEnvironment environment(
            Configuration config, RuntimeExecutionMode mode, int parallelism) {
        config.set(ExecutionOptions.RUNTIME_MODE, mode);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        return env.setParallelism(parallelism);
    }

    /** A session beside streams. */
    public static StreamTableEnvironment session(StreamExecutionEnvironment env) {
        return StreamTableEnvironment.create(
                env,
                EnvironmentSettings.newInstance()
                        .withConfiguration((Configuration) env.getConfiguration())
                        .build());
    }

    /** A session. */
    public static StreamTableEnvironment session(RuntimeExecutionMode mode, int parallelism) {
        return session(environment(new Configuration(), mode, parallelism));
    }

    /** What a query gives, in the order it comes. */
    public static List<Row> rows(TableEnvironment session, String query) {
        return CollectionUtil.iteratorToList(session.executeSql(query).collect());
    }
}
