package io.flinkgpu.sql.functions;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.rules.RuleFiles;
import io.flinkgpu.sql.SqlJobs;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import static io.flinkgpu.sql.SqlJobs.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The functions in queries, with the planner that Flink ships.
 *
 * <p>Covers: RedactFunction, TextArguments.
 */
@Timeout(180)
class FunctionsITCase {

    @RegisterExtension static final MiniClusterExtension CLUSTER = SqlJobs.cluster();

    private static final long SEED = Long.getLong("seed", 20_261_126);
    private static final String KEY = "0123456789abcdef-key";
    private static final List<String> PARTS =
            List.of(
                    "jane@example.com",
                    "10.1.2.3",
                    "customer=42",
                    "Grüße ",
                    "\ud83d\ude00",
                    "\ud800",
                    "\udc00x",
                    " ",
                    "",
                    "\u0000",
                    "4111 1111 1111 1111",
                    "password=hunter2");
    private static final String AUDIT_RULES =
            """
            rules:
              - name: customer
                regex: 'customer=\\d+'
                hash: {prefix: '[C:', hexDigits: 16, suffix: ']'}
              - name: smile
                regex: '\\x{1F600}'
                mask: {}
            """;

    @TempDir Path directory;
    private Path keyFile;
    private Path ruleFile;

    @BeforeEach
    void writeFiles() throws Exception {
        keyFile = Files.writeString(directory.resolve("key"), KEY);
        ruleFile = Files.writeString(directory.resolve("audit.yaml"), AUDIT_RULES);
    }

    @ParameterizedTest
    @CsvSource({"STREAMING, 1", "STREAMING, 4", "BATCH, 2"})
    void theSameAsTheLibrary(RuntimeExecutionMode mode, int parallelism) throws Exception {
        StreamExecutionEnvironment env =
                SqlJobs.environment(new Configuration(), mode, parallelism);
        StreamTableEnvironment session = SqlJobs.session(env);
        load(session);
        session.createTemporaryView(
                "texts",
                env.fromData(texts(500), Types.ROW_NAMED(new String[] {"t"}, Types.STRING)),
                Schema.newBuilder().column("t", DataTypes.STRING()).build());
        List<Row> found =
                rows(
                        session,
                        "SELECT t, REDACT(t), REDACT(t, 'audit'), HASH_HMAC(t), MASK(t, 1, 2, '#')"
                                + " FROM texts");
        assertThat(found).hasSize(500);
        Map<String, Row> redacted = redacted(found.stream().<String>map(row -> row.getFieldAs(0)));
        for (Row row : found) {
            String text = row.getFieldAs(0);
            assertThat(row.<String>getFieldAs(1)).isEqualTo(redacted.get(text).getField(1));
            assertThat(row.<String>getFieldAs(2)).isEqualTo(redacted.get(text).getField(2));
            assertThat(row.<String>getFieldAs(3)).isEqualTo(hash(text));
            assertThat(row.<String>getFieldAs(4)).isEqualTo(masked(text));
        }
    }

    @Test
    void constantsNullsAndPlacesOfAnExpression() throws Exception {
        StreamTableEnvironment session = session(RuntimeExecutionMode.STREAMING, 1);
        assertThat(
                        rows(
                                session,
                                "SELECT REDACT('a jane@example.com'), REDACT(CAST(NULL AS STRING)),"
                                        + " MASK(CAST('secret' AS CHAR(6))), MASK('secret', 2, 2),"
                                        + " MASK('four', 2, 2), HASH_HMAC(CAST(NULL AS STRING))"))
                .containsExactly(Row.of("a [EMAIL]", null, "******", "se**et", "****", null));
        assertThat(
                        rows(
                                session,
                                "SELECT REDACT(t), COUNT(*) FROM (VALUES ('a@b.example'),"
                                        + " ('c@d.example'), ('none')) AS v(t)"
                                        + " WHERE REDACT(t) <> t GROUP BY REDACT(t)"))
                .last()
                .satisfies(row -> assertThat(row.getField(1)).isEqualTo(2L));
        assertThat(
                        session.sqlQuery("SELECT REDACT('a') AS r, MASK(CAST(NULL AS STRING)) AS m")
                                .getResolvedSchema()
                                .getColumnDataTypes())
                .containsExactly(DataTypes.STRING().notNull(), DataTypes.STRING());
    }

    @Test
    void withoutAModule() {
        StreamTableEnvironment session = SqlJobs.session(RuntimeExecutionMode.STREAMING, 1);
        session.executeSql(
                "CREATE TEMPORARY FUNCTION clean AS '" + RedactFunction.class.getName() + "'");
        assertThat(rows(session, "SELECT clean('10.1.2.3')")).containsExactly(Row.of("[IP]"));
    }

    @Test
    void whatIsRefused() {
        StreamTableEnvironment session = session(RuntimeExecutionMode.STREAMING, 1);
        refused(
                session,
                "SELECT REDACT('a', 'adit')",
                "no such rule set: rules='adit', known=[audit, default]; name one of them, or load"
                        + " the module with 'rules.adit.path' = '<file>'");
        refused(
                session,
                "SELECT REDACT('a', t) FROM (VALUES ('audit')) AS v(t)",
                "argument 'rules' is an option and must be a constant that is not NULL");
        refused(session, "SELECT REDACT(1)", "argument 'text' is a STRING: INT NOT NULL; cast it");
        refused(session, "SELECT MASK('a', 1)", "give keepFirst and keepLast");
        refused(
                session,
                "SELECT MASK('a', 1, 1, '##')",
                "MASK puts one character in place of each: char='##'");
        refused(session, "SELECT MASK('a', -1, 1)", "keepFirst=-1");
        session.executeSql("UNLOAD MODULE gpu");
        session.executeSql("LOAD MODULE gpu WITH ('rules.audit.path' = '" + ruleFile + "')");
        refused(session, "SELECT HASH_HMAC('a')", "'hash-key.path' = '<file on each TaskManager>'");
        refused(
                session,
                "SELECT REDACT('a', 'audit')",
                "the rules hash and need a key: rules='audit'");
    }

    @Test
    void aMissingKeyFailsTheJobAndNoTextPasses() throws Exception {
        StreamTableEnvironment session = session(RuntimeExecutionMode.STREAMING, 1);
        Files.delete(keyFile);
        assertThatThrownBy(() -> rows(session, "SELECT REDACT('customer=1', 'audit')"))
                .hasStackTraceContaining("cannot read the hash key from file");
    }

    @Test
    void noPlannerIsOnTheClassPath() {
        assertThatThrownBy(() -> Class.forName("org.apache.calcite.rex.RexNode"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    private StreamTableEnvironment session(RuntimeExecutionMode mode, int parallelism) {
        StreamTableEnvironment session = SqlJobs.session(mode, parallelism);
        load(session);
        return session;
    }

    private void load(StreamTableEnvironment session) {
        session.executeSql(
                "LOAD MODULE gpu WITH ('rules.audit.path' = '%s', 'hash-key.path' = '%s')"
                        .formatted(ruleFile, keyFile));
    }

    private static List<Row> texts(int count) {
        System.out.println("seed=" + SEED);
        Random random = new Random(SEED);
        List<Row> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            for (int parts = random.nextInt(6); parts > 0; parts--) {
                text.append(PARTS.get(random.nextInt(PARTS.size())));
            }
            texts.add(Row.of(i % 50 == 7 ? null : text.toString()));
        }
        return texts;
    }

    /** What the library's operators make of each text, by the default rules and by the audit's. */
    private Map<String, Row> redacted(Stream<String> texts) throws Exception {
        StreamExecutionEnvironment env =
                SqlJobs.environment(new Configuration(), RuntimeExecutionMode.STREAMING, 2);
        GpuOptions options =
                GpuOptions.DEFAULT
                        .withBackend(BackendChoice.CPU)
                        .withHashKey(HashKey.fromFile(keyFile));
        DataStream<Row> rows =
                env.fromData(
                        texts.distinct().map(text -> Row.of(text, text, text)).toList(),
                        Types.ROW(Types.STRING, Types.STRING, Types.STRING));
        DataStream<Row> once =
                GpuStreams.redact(
                        rows,
                        row -> row.getFieldAs(1),
                        (row, text) -> Row.of(row.getField(0), text, row.getField(2)),
                        DefaultRules.get(),
                        options);
        Map<String, Row> redacted = new HashMap<>();
        GpuStreams.redact(
                        once,
                        row -> row.getFieldAs(2),
                        (row, text) -> Row.of(row.getField(0), row.getField(1), text),
                        RuleFiles.read(ruleFile),
                        options)
                .executeAndCollect()
                .forEachRemaining(row -> redacted.put(row.getFieldAs(0), row));
        return redacted;
    }

    private static String hash(String text) throws Exception {
        if (text == null) {
            return null;
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        StringBuilder hex = new StringBuilder();
        for (byte b : mac.doFinal(text.getBytes(StandardCharsets.UTF_8))) {
            hex.append("%02x".formatted(b));
        }
        return hex.toString();
    }

    private static String masked(String text) {
        if (text == null) {
            return null;
        }
        List<String> characters =
                new ArrayList<>(text.codePoints().mapToObj(Character::toString).toList());
        boolean whole = characters.size() <= 3;
        for (int i = whole ? 0 : 1; i < characters.size() - (whole ? 0 : 2); i++) {
            characters.set(i, "#");
        }
        return String.join("", characters);
    }

    private static void refused(StreamTableEnvironment session, String query, String message) {
        assertThatThrownBy(() -> session.executeSql(query)).hasStackTraceContaining(message);
    }
}
