package io.flinkgpu.sql.planner;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableException;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CollectionUtil;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Queries of the benchmark Nexmark, written for events of our own: which of their nodes run in batches is the table in
 * docs/sql.md, and they give the rows that Flink's plan gives.
 *
 * <p>Covers: NodeReport.
 */
class NexmarkTest {

    private static final Path DOCS = Path.of("../docs/sql.md");
    private static final String BEGIN = "<!-- Nexmark table, made by NexmarkTest -->\n";
    private static final String END = "<!-- end of the Nexmark table -->";

    /** More with -Dsql.events=10000000. */
    private static final long EVENTS = Long.getLong("sql.events", 3_000);

    /** Flink's planner refuses it: OVER reads rows that are updated. */
    private static final int REFUSED = 6;

    /** By the clock, so that no two runs give the same. */
    private static final int BY_THE_CLOCK = 12;

    /** Flink's plan of it takes no row back: an update replaces the row of the same first column. */
    private static final String WITHOUT_RETRACTIONS = "q9";

    /** Others with -Dsql.nexmark=q0,q1, all that run with -Dsql.nexmark=all. */
    static Stream<String> queries() {
        String asked = System.getProperty("sql.nexmark", "q5,q8,q17,q21,q22");
        return "all".equals(asked)
                ? IntStream.range(0, 23)
                        .filter(query -> query != REFUSED && query != BY_THE_CLOCK)
                        .mapToObj(query -> "q" + query)
                : Stream.of(asked.split(","));
    }

    @ParameterizedTest
    @MethodSource("queries")
    @Timeout(600)
    void rowsAreThoseOfFlinksPlan(String query) throws Exception {
        Map<Row, Integer> expected = rows(query, false);
        assertThat(expected).isNotEmpty();
        assertThat(rows(query, true)).isEqualTo(expected);
    }

    @Test
    void theDocsHaveWhatRunsInBatches() throws IOException {
        String page = Files.readString(DOCS);
        String old = page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOCS, page.replace(BEGIN + old, BEGIN + table()));
        } else {
            assertThat(old).as("docs/sql.md: run this with -Ddocs.update=true").isEqualTo(table());
        }
    }

    @Test
    void flinkRefusesTheSixth() throws IOException {
        String query = read("q6");
        assertThatThrownBy(() -> plans().tables().explainSql(query))
                .isInstanceOf(TableException.class);
    }

    private static String table() throws IOException {
        StringBuilder table =
                new StringBuilder("| query | on batches | Flink, and why |\n|---|---|---|\n");
        for (int query = 0; query < 23; query++) {
            if (query == REFUSED) {
                table.append("| q6 | | all: its planner has no OVER of rows that are updated |\n");
                continue;
            }
            Plans plans = plans();
            plans.tables().explainSql(read("q" + query));
            List<String> batches = new ArrayList<>();
            List<String> flinks = new ArrayList<>();
            for (NodeReport node : plans.planner().report().nodes()) {
                if (!node.onBatches().isEmpty()) {
                    batches.add(node.kind());
                }
                node.reasons().stream()
                        .map(reason -> node.kind() + ": " + reason)
                        .filter(reason -> !reason.endsWith(": no text functions"))
                        .filter(reason -> !flinks.contains(reason))
                        .forEach(flinks::add);
            }
            table.append(
                    "| q%d | %s | %s |%n"
                            .formatted(
                                    query, String.join(", ", batches), String.join("; ", flinks)));
        }
        return table.toString();
    }

    /** How often each row is in the result in the end. */
    private static Map<Row, Integer> rows(String query, boolean enabled) throws Exception {
        Plans plans = plans();
        plans.tables().getConfig().set(GpuSqlOptions.ENABLED, enabled);
        Map<Row, Integer> rows = new HashMap<>();
        Map<Object, Row> latest = new HashMap<>();
        // With the rows that updates replace, which a query's own result may leave out.
        DataStream<Row> changes =
                plans.tables().toChangelogStream(plans.tables().sqlQuery(read(query)));
        for (Row row : CollectionUtil.iteratorToList(changes.executeAndCollect())) {
            RowKind kind = row.getKind();
            boolean adds = kind == RowKind.INSERT || kind == RowKind.UPDATE_AFTER;
            row.setKind(RowKind.INSERT);
            if (query.equals(WITHOUT_RETRACTIONS)) {
                Row replaced = latest.put(row.getField(0), row);
                if (replaced != null) {
                    rows.remove(replaced);
                }
            }
            rows.merge(row, adds ? 1 : -1, (a, b) -> a + b == 0 ? null : a + b);
        }
        return rows;
    }

    private static Plans plans() throws IOException {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        return plans(env, EVENTS);
    }

    /** With the tables of that many events. */
    static Plans plans(StreamExecutionEnvironment env, long events) throws IOException {
        Plans plans = new Plans(env);
        String tables = read("tables").replace("${count}", String.valueOf(events));
        for (String statement : tables.split(";")) {
            if (!statement.isBlank()) {
                plans.tables().executeSql(statement);
            }
        }
        return plans;
    }

    static String read(String name) throws IOException {
        try (InputStream file =
                NexmarkTest.class.getResourceAsStream("/nexmark/" + name + ".sql")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
