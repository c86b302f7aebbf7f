package io.flinkgpu.sql.loader;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * With the loader in the place of Flink's, and no planner, Calcite or Scala on the class path.
 *
 * <p>Covers: flink-gpu-sql-planner-loader/src/main/java.
 */
class LoaderITCase {

    private static final String QUERY =
            "SELECT id, redact(line) AS line, UPPER(TRIM(SPLIT_INDEX(line, ' ', 1))) AS word FROM t"
                    + " WHERE CHAR_LENGTH(line) > RAND()";

    @Test
    void plannerAndCalciteAreNotOnTheClassPath() {
        for (String name :
                new String[] {
                    "org.apache.calcite.rex.RexNode",
                    "org.apache.flink.table.planner.delegation.StreamPlanner",
                    "scala.Option"
                }) {
            assertThatThrownBy(() -> Class.forName(name))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    @Test
    void queriesRunOnBatchesWithTheSameRows() throws Exception {
        assertThat(rows(true)).isEqualTo(rows(false));
    }

    @Test
    void groupsAreKeptInTablesWithTheSameRows() throws Exception {
        assertThat(groups(true)).isEqualTo(groups(false));
    }

    private static String groups(boolean enabled) throws Exception {
        StreamTableEnvironment tables = tables(enabled);
        var configuration = tables.getConfig().getConfiguration();
        configuration.setString("table.exec.mini-batch.enabled", "true");
        configuration.setString("table.exec.mini-batch.allow-latency", "1 h");
        configuration.setString("table.exec.mini-batch.size", "100");
        String query = "SELECT COUNT(*) AS n, SUM(id) AS ids FROM t";
        assertThat(tables.explainSql(query).contains("on batches: COUNT(*), SUM(id)"))
                .isEqualTo(enabled);
        String rows = CollectionUtil.iteratorToList(tables.executeSql(query).collect()).toString();
        assertThat(rows).contains("+I[3, 6]");
        return rows;
    }

    private static String rows(boolean enabled) throws Exception {
        StreamTableEnvironment tables = tables(enabled);
        assertThat(tables.explainSql(QUERY).contains("on batches: line, word")).isEqualTo(enabled);
        String rows = CollectionUtil.iteratorToList(tables.executeSql(QUERY).collect()).toString();
        assertThat(rows).contains("mail [EMAIL]", "A@EXAMPLE.COM");
        return rows;
    }

    private static StreamTableEnvironment tables(boolean enabled) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        StreamTableEnvironment tables = StreamTableEnvironment.create(env);
        tables.executeSql("LOAD MODULE gpu");
        tables.createTemporaryView(
                "t",
                tables.fromDataStream(
                        env.fromData(
                                Types.ROW_NAMED(
                                        new String[] {"id", "line"}, Types.INT, Types.STRING),
                                Row.of(1, "mail a@example.com"),
                                Row.of(2, " x y "),
                                Row.of(3, null))));
        tables.getConfig().getConfiguration().setString("gpu.sql.enabled", String.valueOf(enabled));
        return tables;
    }
}
