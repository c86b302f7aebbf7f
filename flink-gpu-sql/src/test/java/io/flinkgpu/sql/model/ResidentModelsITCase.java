package io.flinkgpu.sql.model;

import io.flinkgpu.EmbeddingFiles;
import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.VectorChange;
import io.flinkgpu.sql.SqlJobs;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.ExceptionUtils;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tables of vectors, with and without a network, and sets, as models.
 *
 * <p>Covers: LookupModels.
 */
@Timeout(180)
class ResidentModelsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlJobs.cluster();

    private static final int LINES = 1_000;
    private static final int VECTORS = 600;

    @TempDir Path directory;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(
                directory.resolve("in.txt"),
                IntStream.range(0, LINES).mapToObj(i -> i + "\n").collect(Collectors.joining()));
        EmbeddingTable table = EmbeddingTable.of("items", 2, ElementType.F32);
        EmbeddingFiles.write(
                directory.resolve("items"),
                table,
                LongStream.range(0, VECTORS)
                        .mapToObj(id -> VectorChange.upsert("items", id, id, -id))
                        .iterator(),
                1);
        // x = (first of user, second of user, first of bag, second of bag, age)
        TinyNetwork.write(
                directory.resolve("net.onnx"), 5, 2, 1, 0, 0, 1, 100, 0, 0, 100, 0.5f, 0.25f);
        Files.writeString(
                directory.resolve("sets.txt"), "1,2,3\n\n77\t2,3,4,5\r\n4294967295\n-5\t1,2,3");
    }

    @ParameterizedTest
    @CsvSource({"STREAMING, 1", "STREAMING, 2", "BATCH, 3"})
    void vectorsOfIds(RuntimeExecutionMode mode, int parallelism) {
        StreamTableEnvironment session = session(mode, parallelism);
        session.executeSql(
                """
                CREATE MODEL vectors INPUT (items BIGINT, bag ARRAY<BIGINT>)
                OUTPUT (v ARRAY<FLOAT>, w ARRAY<FLOAT>)
                WITH ('provider' = 'gpu-lookup', 'backend' = 'cpu', 'tables.items.path' = '%s',
                      'tables.items.dimension' = '2', 'tables.items.missing' = '0.5',
                      'columns.bag.table' = 'items', 'columns.bag.combiner' = 'sum')
                """
                        .formatted(directory.resolve("items")));
        List<Row> expected = new ArrayList<>();
        for (int n = 0; n < LINES; n++) {
            Float[] vector = n % 5 == 0 ? new Float[0] : vector(n);
            float bag = n % 7 == 0 ? 0 : value(n, 1) + value(n + 1, 1);
            float minus = n % 7 == 0 ? 0 : value(n, -1) + value(n + 1, -1);
            expected.add(Row.of(n, vector, new Float[] {bag, minus}));
        }
        assertThat(
                        SqlJobs.rows(
                                session,
                                "SELECT n, v, w FROM ML_PREDICT(TABLE asked, MODEL vectors,"
                                        + " DESCRIPTOR(id, bag),"
                                        + " MAP['max-concurrent-operations', '300'])"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static Float[] vector(int id) {
        return new Float[] {value(id, 1), value(id, -1)};
    }

    private static float value(int id, int sign) {
        return id < VECTORS ? sign * id : 0.5f;
    }

    @ParameterizedTest
    @CsvSource({"STREAMING, 1", "BATCH, 2"})
    void scoresOfIdsAndNumbers(RuntimeExecutionMode mode, int parallelism) {
        StreamTableEnvironment session = session(mode, parallelism);
        session.executeSql(
                """
                CREATE MODEL clicks INPUT (items BIGINT, age FLOAT, bag ARRAY<BIGINT>)
                OUTPUT (a FLOAT, b FLOAT)
                WITH ('provider' = 'gpu-score', 'backend' = 'cpu', 'onnx.path' = '%s',
                      'tables.items.path' = '%s', 'tables.items.dimension' = '2',
                      'columns.bag.table' = 'items')
                """
                        .formatted(directory.resolve("net.onnx"), directory.resolve("items")));
        List<Row> expected = new ArrayList<>();
        for (int n = 0; n < VECTORS - 1; n++) {
            float user = n % 5 == 0 ? 0 : n;
            float bag = n % 7 == 0 ? 0 : n + n + 1;
            Object a = n % 11 == 0 ? null : user + 100 * bag + 0.5f * n;
            Object b = n % 11 == 0 ? null : -user - 100 * bag + 0.25f * n;
            expected.add(Row.of(n, a, b));
        }
        assertThat(
                        SqlJobs.rows(
                                session,
                                "SELECT n, a, b FROM ML_PREDICT(TABLE asked, MODEL clicks,"
                                        + " DESCRIPTOR(id, age, bag),"
                                        + " MAP['max-concurrent-operations', '300']) WHERE n < "
                                        + (VECTORS - 1)))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @CsvSource({"STREAMING, 1", "BATCH, 2"})
    void documentsOfSets(RuntimeExecutionMode mode, int parallelism) {
        StreamTableEnvironment session = session(mode, parallelism);
        session.executeSql(
                """
                CREATE MODEL near INPUT (tags ARRAY<BIGINT>)
                OUTPUT (id BIGINT, score DOUBLE, common INT, size INT)
                WITH ('provider' = 'gpu-search', 'backend' = 'cpu', 'documents.path' = '%s',
                      'k' = '3', 'min-score' = '0.5', 'similarity' = 'JACCARD')
                """
                        .formatted(directory.resolve("sets.txt")));
        session.executeSql(
                "CREATE VIEW tagged AS SELECT n, CASE MOD(n, 4) WHEN 0 THEN ARRAY[CAST(3 AS"
                        + " BIGINT), 2, 4] WHEN 1 THEN ARRAY[CAST(4294967295 AS BIGINT)] WHEN 2"
                        + " THEN ARRAY[CAST(9 AS BIGINT)] END AS tags FROM lines WHERE n < 40");
        List<Row> expected = new ArrayList<>();
        for (int n = 0; n < 40; n += 4) {
            expected.add(Row.of(n, 77L, 0.75, 3, 4));
            expected.add(Row.of(n, -5L, 0.5, 2, 3));
            expected.add(Row.of(n, 0L, 0.5, 2, 3));
            expected.add(Row.of(n + 1, 3L, 1.0, 1, 1));
        }
        assertThat(
                        SqlJobs.rows(
                                session,
                                "SELECT n, id, score, common, size FROM ML_PREDICT(TABLE tagged,"
                                        + " MODEL near, DESCRIPTOR(tags))"))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void errorsNameTheThingAndTheRemedyAndNothingOfARow() throws IOException {
        StreamTableEnvironment session = session(RuntimeExecutionMode.STREAMING, 1);
        String table =
                "'tables.items.path' = '"
                        + directory.resolve("items")
                        + "', 'tables.items.dimension' = '2'";
        String vectors = "INPUT (items BIGINT) OUTPUT (v ARRAY<FLOAT>) WITH ('provider' =";
        refused(session, vectors + " 'gpu-lookup')", "the model has no table");
        refused(
                session,
                vectors + " 'gpu-lookup', 'tables.items.path' = 'x')",
                "set 'tables.items.dimension'");
        refused(
                session,
                vectors + " 'gpu-lookup', 'tables.items.paths' = 'x')",
                "a table has no such option: option='tables.items.paths'");
        refused(
                session,
                vectors + " 'gpu-lookup', 'tables.items.type' = 'f64', " + table + ")",
                "'f32', 'f16', 'bf16' or 'int8'");
        refused(
                session,
                vectors + " 'gpu-lookup', 'tables.items.ids' = 'i', " + table + ")",
                "set 'tables.items.vectors' too");
        refused(
                session,
                vectors + " 'gpu-lookup', 'columns.bag.table' = 'items', " + table + ")",
                "options are of no input of ids: [columns.bag.table]");
        refused(
                session,
                "INPUT (users BIGINT) OUTPUT (v ARRAY<FLOAT>) WITH ('provider' = 'gpu-lookup', "
                        + table
                        + ")",
                "set 'columns.users.table', or 'tables.users.path'");
        refused(
                session,
                "INPUT (items BIGINT) OUTPUT (v FLOAT) WITH ('provider' = 'gpu-lookup', "
                        + table
                        + ")",
                "give as many columns of ARRAY<FLOAT>");
        refused(
                session,
                "INPUT (items BIGINT) OUTPUT (a FLOAT, b FLOAT) WITH ('provider' = 'gpu-score',"
                        + " 'onnx.path' = '"
                        + directory.resolve("net.onnx")
                        + "', "
                        + table
                        + ")",
                "give the inputs that it was trained with");
        refused(
                session,
                "INPUT (items BIGINT) OUTPUT (id STRING) WITH ('provider' = 'gpu-search',"
                        + " 'documents.path' = 'x')",
                "give INPUT one column of ARRAY<BIGINT>");
        for (String option : List.of("'k' = '0'", "'min-score' = '1.1'", "'min-score' = 'NaN'")) {
            refused(
                    session,
                    "bag",
                    "INPUT (tags ARRAY<BIGINT>) OUTPUT (id BIGINT) WITH ('provider' = 'gpu-search',"
                            + " 'documents.path' = 'x', "
                            + option
                            + ")",
                    "give a k from 1 on, and a number up to 1");
        }
        Files.writeString(directory.resolve("bad.txt"), "1\n2,secret\n");
        for (String file : List.of("bad.txt, line=2", "none.txt; put it there")) {
            session.executeSql(
                    "CREATE MODEL bad INPUT (tags ARRAY<BIGINT>) OUTPUT (id BIGINT) WITH"
                            + " ('provider' = 'gpu-search', 'documents.path' = '"
                            + directory.resolve(file.substring(0, file.indexOf(".txt") + 4))
                            + "')");
            assertThatThrownBy(
                            () ->
                                    SqlJobs.rows(
                                            session,
                                            "SELECT id FROM ML_PREDICT(TABLE asked, MODEL bad,"
                                                    + " DESCRIPTOR(bag))"))
                    .hasStackTraceContaining(file)
                    .satisfies(failure -> assertThat(stackTrace(failure)).doesNotContain("secret"));
            session.executeSql("DROP MODEL bad");
        }
    }

    /** More rows fail than may be on their way, which must not leave the task waiting for room. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRowWithoutAnAnswerFailsTheJobAndIsNotInTheError(boolean reuse) {
        StreamTableEnvironment session = session(RuntimeExecutionMode.STREAMING, 1);
        session.getConfig().set(PipelineOptions.OBJECT_REUSE, reuse);
        session.executeSql(
                "CREATE VIEW negative AS SELECT ARRAY[CAST(n AS BIGINT), -1] AS tags,"
                        + " 'secret' || CAST(n AS STRING) AS s FROM lines");
        session.executeSql(
                "CREATE MODEL tags INPUT (tags ARRAY<BIGINT>) OUTPUT (id BIGINT) WITH ('provider'"
                        + " = 'gpu-search', 'backend' = 'cpu', 'documents.path' = '"
                        + directory.resolve("sets.txt")
                        + "')");
        assertThatThrownBy(
                        () ->
                                SqlJobs.rows(
                                        session,
                                        "SELECT s, id FROM ML_PREDICT(TABLE negative, MODEL tags,"
                                                + " DESCRIPTOR(tags))"))
                .hasStackTraceContaining("a model has no answer for a row, which did not leave")
                .hasStackTraceContaining("is a number from 0 to 4294967295: position=1")
                .satisfies(failure -> assertThat(stackTrace(failure)).doesNotContain("secret"));
    }

    private static String stackTrace(Throwable failure) {
        return ExceptionUtils.stringifyException(failure);
    }

    private static void refused(StreamTableEnvironment session, String model, String message) {
        refused(session, "id", model, message);
    }

    private static void refused(
            StreamTableEnvironment session, String input, String model, String message) {
        session.executeSql("CREATE MODEL refused " + model);
        assertThatThrownBy(
                        () ->
                                session.explainSql(
                                        "SELECT * FROM ML_PREDICT(TABLE asked, MODEL refused, DESCRIPTOR("
                                                + input
                                                + "))"))
                .hasStackTraceContaining(message);
        session.executeSql("DROP MODEL refused");
    }

    private StreamTableEnvironment session(RuntimeExecutionMode mode, int parallelism) {
        StreamTableEnvironment session = SqlJobs.session(mode, parallelism);
        session.executeSql(
                "CREATE TABLE lines (n INT) WITH ('connector' = 'gpu-lines', 'separator' = ';',"
                        + " 'path' = '"
                        + directory.resolve("in.txt").toUri()
                        + "')");
        session.executeSql(
                """
                CREATE VIEW asked AS SELECT n,
                  CASE WHEN MOD(n, 5) > 0 THEN CAST(n AS BIGINT) END AS id,
                  CASE WHEN MOD(n, 7) > 0
                    THEN ARRAY[CAST(n AS BIGINT), CAST(NULL AS BIGINT), n + 1] END AS bag,
                  CASE WHEN MOD(n, 11) > 0 THEN CAST(n AS FLOAT) END AS age
                FROM lines
                """);
        return session;
    }
}
