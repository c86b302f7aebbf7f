package io.flinkgpu.applications;

import io.flinkgpu.sql.script.SqlStatement;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * SQL with the library's functions, tables and models. Exit codes: 0 done, 1 a statement failed, 2 the
 * caller's mistake.
 */
public final class SqlScript {

    private static final String NAME = "sql";

    private SqlScript() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(
                NAME,
                out,
                err,
                Causes::oneLine,
                () -> {
                    SqlOptions options = SqlOptions.parse(args);
                    Path script = options.script().orElseThrow();
                    List<SqlStatement> statements = SqlStatement.split(read(script));
                    if (statements.isEmpty()) {
                        throw new UsageException(
                                "script '"
                                        + script
                                        + "' has no statement, so there is nothing to run: write some,"
                                        + " each with ';' at its end");
                    }
                    SqlSession.run(script.toString(), statements, options.parallelism(), out);
                });
    }

    private static String read(Path script) throws UsageException {
        try {
            return Files.readString(script);
        } catch (IOException e) {
            throw new UsageException(
                    "cannot read script '" + script + "': name a file of SQL statements in UTF-8");
        }
    }
}
