package io.flinkgpu.applications;

import io.flinkgpu.sql.script.SqlStatement;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Redaction of logs in SQL. Exit codes: 0 done, 1 a statement failed, 2 the caller's mistake.
 */
public final class SqlRedaction {

    private static final String NAME = "sql-redaction";
    private static final String SCRIPT = "/sql-redaction.sql";
    private static final int SAMPLE_BYTES = 2_000_000;
    private static final long SAMPLE_SEED = 20_260_302L;

    private SqlRedaction() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(NAME, out, err, () -> redact(SqlRedactionOptions.parse(args), out));
    }

    private static void redact(SqlRedactionOptions options, PrintStream out) throws Exception {
        Path output = output(options.output());
        String script =
                script().replace("${input}", literal(input(options.input())))
                        .replace("${output}", literal(output));
        out.println(script);
        SqlSession.run(SCRIPT, SqlStatement.split(script), options.parallelism(), out);
        out.println("Redacted lines are in " + output);
    }

    private static Path input(Optional<Path> given) throws IOException, UsageException {
        if (given.isPresent()) {
            if (!Files.isReadable(given.get())) {
                throw new UsageException(
                        "cannot read input '" + given.get() + "': name a file or folder of logs");
            }
            return given.get();
        }
        Path sample = Files.createTempDirectory(NAME + "-logs-");
        SampleLogs.write(sample, SAMPLE_BYTES, SAMPLE_SEED);
        return sample;
    }

    private static Path output(Optional<Path> given) throws IOException, UsageException {
        if (given.isEmpty()) {
            return Files.createTempDirectory(NAME + "-");
        }
        Path folder = given.get().toAbsolutePath().normalize();
        Optional<String> problem = Places.folderProblem("output", folder);
        if (problem.isPresent()) {
            throw new UsageException(problem.get());
        }
        return folder;
    }

    /** A file's name within a literal of SQL. */
    private static String literal(Path file) {
        return FlinkPaths.of(file.toAbsolutePath().normalize()).toString().replace("'", "''");
    }

    private static String script() {
        try (InputStream in = SqlRedaction.class.getResourceAsStream(SCRIPT)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
