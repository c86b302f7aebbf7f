package io.flinkgpu.sql.connector;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.api.lines.Malformed;
import io.flinkgpu.source.LineFiles;
import io.flinkgpu.sql.SqlJobs;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import static io.flinkgpu.sql.SqlJobs.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tables of lines have the rows that {@code GpuStreams.lines} gives.
 *
 * <p>Covers: LinesTable, ColumnFormats, LineFilters, LinesTableFactory, LinesTableSource.
 */
@Timeout(180)
class LinesTableITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlJobs.cluster();

    private static final long SEED = Long.getLong("seed", 20_261_126);
    private static final int LINES = 600;
    private static final List<String> NAMES =
            List.of("Köln", "\ud83d\ude00", "", "a;b", "say \"hi\"", "x\ty", "nul\u0000l");
    private static final Delimited FORMAT =
            Delimited.of(';')
                    .quoted()
                    .string("name")
                    .intNumber("i")
                    .longNumber("l")
                    .doubleNumber("d")
                    .decimal("amount", 12, 2)
                    .isoTimestamp("ts")
                    .epochMillis("ms");
    private static final String COLUMNS =
            "name STRING, i INT, l BIGINT, d DOUBLE, amount DECIMAL(12, 2), ts TIMESTAMP(3),"
                    + " ms TIMESTAMP_LTZ(3)";

    @TempDir java.nio.file.Path directory;

    @ParameterizedTest
    @CsvSource({"STREAMING, 1", "STREAMING, 3", "BATCH, 2"})
    void theRowsOfTheLibrary(RuntimeExecutionMode mode, int parallelism) throws Exception {
        writeLines();
        StreamTableEnvironment session = SqlJobs.session(mode, parallelism);
        createTable(session, COLUMNS, "");
        List<Row> expected = libraryRows();
        assertThat(rows(session, "SELECT * FROM lines")).hasSameElementsAs(expected).hasSize(LINES);
        assertThat(rows(session, "SELECT d, name FROM lines WHERE i > 0"))
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream()
                                .filter(row -> row.getField(1) != null)
                                .filter(row -> row.<Integer>getFieldAs(1) > 0)
                                .map(row -> Row.of(row.getField(3), row.getField(0)))
                                .toList());
    }

    @Test
    void filtersInTheSourceKeepTheRowsThatFlinkKeeps() throws Exception {
        writeLines();
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.BATCH, 1);
        createTable(session, COLUMNS, "");
        Random random = new Random(SEED);
        List<String> ours = new ArrayList<>();
        List<String> flinks = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            String condition = condition(random, 2);
            ours.add("SELECT " + i + ", name, d, l FROM lines WHERE " + condition);
            // A random column keeps the condition out of the source.
            flinks.add(
                    "SELECT %d, name, d, l FROM (SELECT *, RAND() AS r FROM lines) WHERE r >= 0 AND %s"
                            .formatted(i, condition));
        }
        String query = String.join(" UNION ALL ", ours);
        assertThat(session.explainSql(query).split("filter=\\[", -1)).hasSizeGreaterThan(8);
        String plain = String.join(" UNION ALL ", flinks);
        assertThat(session.explainSql(plain)).doesNotContain("filter=[");
        assertThat(rows(session, query))
                .as("%s, seed=%d", query, SEED)
                .containsExactlyInAnyOrderElementsOf(rows(session, plain));
        for (String whole :
                List.of(
                        "i > 3",
                        "i BETWEEN 1 AND 7 OR i IS NULL",
                        "NOT (name = 'Köln' OR l <> 5)",
                        "d <= CAST(0.5 AS DOUBLE)",
                        "amount >= 1.25",
                        "ts < TIMESTAMP '2020-01-01 00:00:00.001'",
                        "i IN (1, 2, 7)")) {
            assertThat(session.explainSql("SELECT name FROM lines WHERE " + whole))
                    .as(whole)
                    .contains("filter=[")
                    .doesNotContain("where=[");
        }
        assertThat(
                        session.explainSql(
                                "SELECT name FROM lines WHERE i > 3 AND CHAR_LENGTH(name) > 1"))
                .contains("filter=[>(i, 3)]", "where=[>(CHAR_LENGTH(name), 1)]");
    }

    private static String condition(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 7 : 11);
        String compared = List.of("=", "<>", "<", "<=", ">", ">=").get(random.nextInt(6));
        return switch (kind) {
            case 0 -> "i " + compared + " " + (random.nextInt(2000) - 1000);
            case 1 -> random.nextInt(100) + " " + compared + " l";
            case 2 -> "d " + compared + " CAST(" + (random.nextInt(9) - 4) + " AS DOUBLE)";
            case 3 -> "amount " + compared + " " + (random.nextInt(4000) - 2000) / 8.0;
            case 4 ->
                    (random.nextBoolean() ? "ts" : "CAST(ms AS TIMESTAMP(3))")
                            + " "
                            + compared
                            + " TIMESTAMP '19"
                            + (10 + random.nextInt(90))
                            + "-03-04 05:06:07.89'";
            case 5 -> "name " + (random.nextBoolean() ? "=" : "<>") + " 'Köln'";
            case 6 -> List.of("i", "l", "d", "amount").get(random.nextInt(4)) + " IS NULL";
            case 7 -> "NOT (" + condition(random, depth - 1) + ")";
            case 8 ->
                    "("
                            + condition(random, depth - 1)
                            + " OR "
                            + condition(random, depth - 1)
                            + ")";
            case 9 -> "(" + condition(random, depth - 1) + " AND CHAR_LENGTH(name) > 2)";
            default ->
                    "("
                            + condition(random, depth - 1)
                            + " AND "
                            + condition(random, depth - 1)
                            + ")";
        };
    }

    @Test
    void noFilterIsTakenBehindWatermarks() throws Exception {
        Files.writeString(directory.resolve("in"), "a;1000\nb;9000\n");
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.STREAMING, 1);
        createTable(
                session,
                "k STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts",
                ", 'fields.ts.format' = 'epoch-millis'");
        assertThat(session.explainSql("SELECT * FROM lines WHERE k = 'a'"))
                .contains("watermark=[")
                .contains("where=[(k = 'a')]");
    }

    /** The values of SQL, of the rows that the stream has. */
    private List<Row> libraryRows() throws Exception {
        StreamExecutionEnvironment env =
                SqlJobs.environment(new Configuration(), RuntimeExecutionMode.STREAMING, 2);
        List<Row> rows = new ArrayList<>();
        GpuStreams.lines(
                        env.fromSource(
                                LineFiles.of(new Path(directory.toUri())).chunks(),
                                WatermarkStrategy.noWatermarks(),
                                "lines"),
                        FORMAT)
                .malformed(Malformed.SKIP)
                .rows()
                .executeAndCollect()
                .forEachRemaining(row -> rows.add(sqlRow(row)));
        return rows;
    }

    private static Row sqlRow(Row row) {
        Instant ts = Instant.ofEpochMilli(row.<Long>getFieldAs(5));
        return Row.of(
                row.getField(0),
                row.getField(1),
                row.getField(2),
                row.getField(3),
                row.getField(4),
                LocalDateTime.ofInstant(ts, ZoneOffset.UTC),
                Instant.ofEpochMilli(row.<Long>getFieldAs(6)));
    }

    @Test
    void aProjectionDoesNotDecideWhichLinesAreMalformed() throws Exception {
        Files.writeString(directory.resolve("in"), "a;1\nb;x\nc\nd;4\n");
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.BATCH, 1);
        createTable(session, "k STRING, n INT", ", 'malformed' = 'skip'");
        assertThat(rows(session, "SELECT k FROM lines")).containsExactly(Row.of("a"), Row.of("d"));
        assertThat(rows(session, "SELECT COUNT(*) FROM lines")).containsExactly(Row.of(2L));
        assertThat(session.explainSql("SELECT k FROM lines"))
                .contains(
                        "TableSourceScan(table=[[default_catalog, default_database, lines, project=[k]");
        session.executeSql("DROP TABLE lines");
        createTable(session, "k STRING, n INT", "");
        assertThatThrownBy(() -> rows(session, "SELECT k FROM lines"))
                .hasStackTraceContaining("offsetBytes=4, line=(hidden: text of length 3)")
                .hasStackTraceContaining("reason: field 'n'")
                .hasStackTraceContaining("in SQL 'malformed' = 'skip';")
                .hasStackTraceContaining("in SQL 'error-detail' = 'full'");
    }

    @Test
    void linesWithoutASeparatorAreTexts() throws Exception {
        Files.write(
                directory.resolve("in"),
                new byte[] {'a', ';', '\r', '\n', '\n', (byte) 0xff, 'b', '\n', 'c'});
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.STREAMING, 1);
        session.executeSql(
                "CREATE TABLE texts (line STRING) WITH ('connector' = 'gpu-lines', 'path' = '"
                        + directory.toUri()
                        + "')");
        assertThat(rows(session, "SELECT CAST(line AS BYTES) FROM texts"))
                .containsExactly(
                        Row.of(new byte[] {'a', ';'}),
                        Row.of(new byte[0]),
                        Row.of(new byte[] {(byte) 0xff, 'b'}),
                        Row.of(new byte[] {'c'}));
        assertThat(rows(session, "SELECT COUNT(*) FROM texts")).last().isEqualTo(count(4));
    }

    @Test
    void windowsOverEventTimeFromTheSource() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            text.append("k").append(i % 2).append(";").append(i * 100).append('\n');
        }
        Files.writeString(directory.resolve("in"), text);
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.STREAMING, 2);
        createTable(
                session,
                "k STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND",
                ", 'fields.ts.format' = 'epoch-millis'");
        String query =
                "SELECT k, window_start, COUNT(*) FROM TUMBLE(TABLE lines, DESCRIPTOR(ts),"
                        + " INTERVAL '5' SECOND) GROUP BY k, window_start, window_end";
        assertThat(session.explainSql(query))
                .contains("watermark=[")
                .doesNotContain(" WatermarkAssigner(");
        assertThat(rows(session, query).stream().map(row -> row.getField(2)))
                .containsExactly(25L, 25L, 25L, 25L);
    }

    @Test
    void newFilesOfATableThatDoesNotEnd() throws Exception {
        Files.writeString(directory.resolve("1"), "a;1\n");
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.STREAMING, 1);
        createTable(session, "k STRING, n INT", ", 'monitor-interval' = '50 ms'");
        CloseableIterator<Row> rows = session.executeSql("SELECT * FROM lines").collect();
        try {
            assertThat(rows.next()).isEqualTo(Row.of("a", 1));
            Files.writeString(directory.resolve("2"), "b;2\n");
            assertThat(rows.next()).isEqualTo(Row.of("b", 2));
        } finally {
            rows.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void eachRowOnceAfterAFailure(int parallelism) throws Exception {
        writeLines();
        Configuration config = new Configuration();
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(20));
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamTableEnvironment session =
                SqlJobs.session(
                        SqlJobs.environment(config, RuntimeExecutionMode.STREAMING, parallelism));
        createTable(session, COLUMNS, "");
        FailsOnce.FAILED.set(false);
        List<Row> found = new ArrayList<>();
        session.toDataStream(session.sqlQuery("SELECT l, name FROM lines"))
                .map(new FailsOnce())
                .returns(Types.ROW(Types.LONG, Types.STRING))
                .executeAndCollect()
                .forEachRemaining(found::add);
        assertThat(FailsOnce.FAILED).isTrue();
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        libraryRows().stream()
                                .map(row -> Row.of(row.getField(2), row.getField(0)))
                                .toList());
    }

    @Test
    void whatIsRefused() {
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.BATCH, 1);
        refused(session, "k STRING, f FLOAT", "", "column 'f' is FLOAT: lines have no such type;");
        refused(session, "k VARCHAR(3)", "", "column 'k' is VARCHAR(3): a text has any length");
        refused(session, "n INT NOT NULL", "", "a number may be empty, which is NULL; leave NOT");
        refused(session, "n DECIMAL(20, 2)", "", "a decimal has at most 18 digits;");
        refused(session, "t TIMESTAMP", "", "times are milliseconds; declare the precision (3)");
        refused(
                session,
                "t TIMESTAMP(3)",
                ", 'fields.t.format' = 'unix'",
                "no such format: format='unix'; use 'iso-timestamp', 'epoch-millis' or 'skipped'");
        refused(
                session,
                "k STRING, n INT",
                ", 'fields.m.format' = 'skipped'",
                "options=[fields.m.format], columns=[k, n]; name one of the columns");
        refused(session, "k STRING", ", 'glob' = '*'", "has either 'path' or 'glob'");
        refused(session, "k STRING", ", 'malform' = 'skip'", "Unsupported options found");
        session.executeSql(
                "CREATE TABLE lines (a STRING, b STRING) WITH ('connector' = 'gpu-lines', 'path' ="
                        + " 'in')");
        assertThatThrownBy(() -> session.explainSql("SELECT * FROM lines"))
                .hasStackTraceContaining("without a 'separator' a line is one text");
    }

    private void refused(
            StreamTableEnvironment session, String columns, String options, String message) {
        createTable(session, columns, options);
        assertThatThrownBy(() -> session.explainSql("SELECT * FROM lines"))
                .hasStackTraceContaining(message);
        session.executeSql("DROP TABLE lines");
    }

    @Test
    void skippedFields() throws Exception {
        Files.write(directory.resolve("in"), new byte[] {'a', '\t', (byte) 0xff, '\t', '7', '\n'});
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.BATCH, 1);
        session.executeSql(
                "CREATE TABLE lines (k STRING, x BOOLEAN, n INT) WITH ('connector' = 'gpu-lines',"
                        + " 'path' = '"
                        + directory.toUri()
                        + "', 'separator' = '\\t', 'fields.x.format' = 'skipped')");
        assertThat(rows(session, "SELECT * FROM lines")).containsExactly(Row.of("a", null, 7));
    }

    private void createTable(TableEnvironment session, String columns, String options) {
        session.executeSql(
                "CREATE TABLE lines ("
                        + columns
                        + ") WITH ('connector' = 'gpu-lines', 'separator' = ';', 'quoted' = 'true',"
                        + (columns.equals(COLUMNS)
                                ? " 'malformed' = 'skip', 'split-bytes' = '2 kb', 'chunk-bytes' ="
                                        + " '500 b', 'fields.ms.format' = 'epoch-millis',"
                                : "")
                        + " 'path' = '"
                        + directory.toUri()
                        + "'"
                        + options
                        + ")");
    }

    private void writeLines() throws IOException {
        System.out.println("seed=" + SEED);
        Random random = new Random(SEED);
        for (int file = 0; file < 3; file++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < LINES / 3; i++) {
                text.append(quoted(NAMES.get(random.nextInt(NAMES.size()))))
                        .append(';')
                        .append(orEmpty(random, random.nextInt()))
                        .append(';')
                        .append(orEmpty(random, random.nextLong()))
                        .append(';')
                        .append(orEmpty(random, List.of("-0.0", "NaN", "1e300", "0.1").get(i % 4)))
                        .append(';')
                        .append(orEmpty(random, random.nextInt(1_000_000) + ".5"))
                        .append(";2026-01-0")
                        .append(1 + i % 9)
                        .append("T12:00:00.")
                        .append(i)
                        .append(i % 3 == 0 ? "+02:00" : "")
                        .append(';')
                        .append(random.nextInt())
                        .append(i % 5 == 0 ? "\r\n" : "\n");
                if (i % 20 == 0) {
                    text.append("not a line\n");
                }
            }
            Files.writeString(directory.resolve("in" + file), text);
        }
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    private static String orEmpty(Random random, Object value) {
        return random.nextInt(5) == 0 ? "" : value.toString();
    }

    /** Fails some rows after a checkpoint, or at a row that a slow machine has no checkpoint before. */
    private static final class FailsOnce implements MapFunction<Row, Row>, CheckpointListener {

        static final AtomicBoolean FAILED = new AtomicBoolean();

        private static final long serialVersionUID = 1L;

        private int rowsLeft = 250;

        @Override
        public Row map(Row row) throws InterruptedException {
            if (!FAILED.get()) {
                Thread.sleep(1);
                if (rowsLeft-- == 0 && FAILED.compareAndSet(false, true)) {
                    throw new IllegalStateException("fails once");
                }
            }
            return row;
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            rowsLeft = Math.min(rowsLeft, 20);
        }
    }

    private static Row count(long count) {
        return Row.ofKind(RowKind.UPDATE_AFTER, count);
    }
}
