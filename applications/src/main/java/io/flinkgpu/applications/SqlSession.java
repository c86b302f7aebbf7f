package io.flinkgpu.applications;

import io.flinkgpu.sql.script.SqlStatement;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.ResultKind;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.TableConfigOptions;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Runs the statements of a script in turn, with the module loaded, and prints what queries give. */
final class SqlSession {

    private static final int FLAGS = Pattern.CASE_INSENSITIVE | Pattern.DOTALL;
    private static final Pattern SET = Pattern.compile("SET\\s+'([^']+)'\\s*=\\s*'([^']*)'", FLAGS);
    private static final Pattern LOADS_MODULE =
            Pattern.compile("LOAD\\s+MODULE\\s+`?gpu\\b.*", FLAGS);
    private static final Pattern WRITES = Pattern.compile("(INSERT|EXECUTE)\\s.*", FLAGS);

    private final StreamTableEnvironment session;
    private final PrintStream out;

    private SqlSession(StreamTableEnvironment session, PrintStream out) {
        this.session = session;
        this.out = out;
    }

    /**
     * Runs all statements.
     *
     * @param script its name, for errors
     * @param parallelism 0 for the environment's own
     * @throws Exception for the first that fails, with its place in the script
     */
    static void run(String script, List<SqlStatement> statements, int parallelism, PrintStream out)
            throws Exception {
        Configuration job = new Configuration();
        job.set(TableConfigOptions.TABLE_DML_SYNC, true);
        // Some settings, as the execution mode, are an environment's from its beginning.
        statements.stream()
                .map(statement -> SET.matcher(statement.text()))
                .takeWhile(Matcher::matches)
                .forEach(setting -> job.setString(setting.group(1), setting.group(2)));
        try (Session cluster = Session.open(job, parallelism)) {
            StreamTableEnvironment session =
                    StreamTableEnvironment.create(
                            cluster.newJob(),
                            EnvironmentSettings.newInstance().withConfiguration(job).build());
            new SqlSession(session, out).run(script, statements);
        }
    }

    private void run(String script, List<SqlStatement> statements) {
        if (statements.stream().noneMatch(s -> LOADS_MODULE.matcher(s.text()).matches())) {
            session.executeSql("LOAD MODULE gpu");
        }
        for (SqlStatement statement : statements) {
            try {
                run(statement.text());
            } catch (Exception e) {
                throw new IllegalStateException(
                        script + ":" + statement.line() + ": " + problem(e));
            }
        }
    }

    /** What is wrong with a statement in all its lines, of which the later ones name it; of a job in one. */
    private static String problem(Exception error) {
        return Causes.innermost(error) instanceof ValidationException invalid
                ? invalid.getMessage().strip().replaceAll("\\s*\\R\\s*", " ")
                : Causes.oneLine(error);
    }

    private void run(String statement) throws Exception {
        Matcher setting = SET.matcher(statement);
        if (setting.matches()) {
            session.getConfig().set(setting.group(1), setting.group(2));
            return;
        }
        TableResult result = session.executeSql(statement);
        if (result.getResultKind() == ResultKind.SUCCESS_WITH_CONTENT
                && !WRITES.matcher(statement).matches()) {
            print(result);
        }
    }

    /** One line a row. Rows of a stream have the kind of change, which later ones may take back. */
    private void print(TableResult result) throws Exception {
        boolean isQuery = result.getJobClient().isPresent();
        boolean hasChanges =
                isQuery
                        && session.getConfig().get(ExecutionOptions.RUNTIME_MODE)
                                == RuntimeExecutionMode.STREAMING;
        List<String> names = result.getResolvedSchema().getColumnNames();
        out.println((hasChanges ? "op\t" : "") + String.join("\t", names));
        CloseableIterator<Row> rows = result.collect();
        try {
            while (rows.hasNext()) {
                Row row = rows.next();
                List<String> values = new ArrayList<>();
                if (hasChanges) {
                    values.add(row.getKind().shortString());
                }
                IntStream.range(0, row.getArity())
                        .mapToObj(i -> String.valueOf(row.getField(i)))
                        .map(value -> isQuery ? Printable.of(value) : value)
                        .forEach(values::add);
                out.println(String.join("\t", values));
            }
        } finally {
            rows.close();
        }
        out.println();
    }
}
