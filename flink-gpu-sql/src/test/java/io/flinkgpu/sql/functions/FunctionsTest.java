package io.flinkgpu.sql.functions;

import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class FunctionsTest {

    private final TableEnvironment sql =
            TableEnvironment.create(EnvironmentSettings.inStreamingMode());

    @Test
    void redacts() {
        sql.executeSql("LOAD MODULE gpu");
        assertThat(
                        rows(
                                "SELECT REDACT(t), MASK(t, 1, 2) FROM (VALUES ('a b@c.example d'), (CAST(NULL AS STRING))) AS v(t)"))
                .containsExactly(Row.of("a [EMAIL] d", "a************ d"), Row.of(null, null));
    }

    private List<Row> rows(String query) {
        return CollectionUtil.iteratorToList(sql.executeSql(query).collect());
    }
}
