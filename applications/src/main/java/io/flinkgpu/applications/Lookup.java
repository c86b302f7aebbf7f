package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.EmbeddingTable;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Looks ids up in tables of vectors, as the lines of a file say. Exit codes: 0 done, 1 the job failed, 2 the caller's
 * mistake.
 */
public final class Lookup {

    private static final String NAME = "lookup";

    private static final int RANGE_BYTES = 4 << 20;

    private Lookup() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(NAME, out, err, () -> lookUp(LookupOptions.parse(args), err));
    }

    private static void lookUp(LookupOptions options, PrintStream err) throws Exception {
        List<String> errors = new ArrayList<>();
        Optional<Path> tables = InputFiles.one("tables", options.tables(), errors);
        Optional<Path> operations = InputFiles.one("operations", options.operations(), errors);
        Path output = options.output().orElseThrow().toAbsolutePath().normalize();
        try {
            NewFiles.check(output);
        } catch (UsageException e) {
            errors.addAll(e.lines());
        }
        if (!errors.isEmpty()) {
            throw new UsageException(errors);
        }
        List<EmbeddingTable> read = TableFile.read(tables.orElseThrow());
        NewFiles.write(
                output,
                part -> {
                    LineCounts lines = LineCounts.of(operations.orElseThrow(), RANGE_BYTES);
                    run(options, read, lines, part, err);
                });
    }

    private static void run(
            LookupOptions options,
            List<EmbeddingTable> tables,
            LineCounts operations,
            Path output,
            PrintStream err)
            throws Exception {
        Configuration conf = new Configuration();
        // The file of results would have those of the first attempt, too.
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        conf.set(PipelineOptions.OBJECT_REUSE, true);
        try (Session session = Session.open(conf, options.parallelism());
                LocalBackend backend = LocalBackend.of(session.first(), options.backend())) {
            StreamExecutionEnvironment env = session.newJob();
            new LookupJob(backend.choice(), tables, options.hostBytes(), output.toString())
                    .follow(env, operations);
            long startMillis = System.currentTimeMillis();
            env.execute(NAME);
            err.printf(
                    Locale.ROOT,
                    "%,d operations on %,d tables, %,.1f MB: job %.2f s (backend %s, parallelism %d)%n",
                    operations.lines(),
                    tables.size(),
                    operations.bytes() / 1e6,
                    (System.currentTimeMillis() - startMillis) / 1e3,
                    backend.description(),
                    env.getParallelism());
            session.print(err);
        }
    }
}
