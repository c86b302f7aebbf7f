package io.flinkgpu.applications;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Searches sets in files for those most like the sets of queries. Exit codes: 0 done, 1 the job failed, 2
 * the caller's mistake.
 */
public final class SetSearch {

    private static final String NAME = "set-search";

    /** Few enough that documents that wait for other readers are few, and each is soon read. */
    private static final int RANGE_BYTES = 4 << 20;

    private SetSearch() {}

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
                NAME, out, err, SetSearch::reason, () -> search(SetSearchOptions.parse(args), err));
    }

    private static String reason(Throwable error) {
        return "the job failed: " + cause(error);
    }

    private static String cause(Throwable error) {
        if (ExceptionUtils.findThrowable(error, OutOfMemoryError.class).isPresent()) {
            return "the heap is too small for so many documents; set a larger one, for example"
                    + " JAVA_OPTS=-Xmx16g";
        }
        String line = Causes.oneLine(error);
        if (line.contains("corpusBytes=")) {
            return line + "; corpusBytes is --corpus-bytes N";
        }
        boolean isCorpus = line.contains("memory for what a program keeps: name=documents, bytes=");
        return isCorpus ? line + "; these bytes are --corpus-bytes N" : line;
    }

    private static void search(SetSearchOptions options, PrintStream err) throws Exception {
        List<String> errors = new ArrayList<>();
        Optional<Path> documents = InputFiles.one("documents", options.documents(), errors);
        Optional<Path> queries = InputFiles.one("queries", options.queries(), errors);
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
        long started = System.nanoTime();
        double[] countSeconds = new double[1];
        NewFiles.write(
                output,
                part -> {
                    LineCounts changes =
                            LineCounts.of(documents.or(() -> operations).get(), RANGE_BYTES);
                    Optional<LineCounts> asked = Optional.empty();
                    if (queries.isPresent()) {
                        asked = Optional.of(LineCounts.of(queries.get(), RANGE_BYTES));
                    }
                    countSeconds[0] = seconds(started);
                    run(options, changes, asked, part, err);
                });
        err.printf(
                Locale.ROOT,
                "from files to answers: %.2f s, of which counting lines %.2f s%n",
                seconds(started),
                countSeconds[0]);
    }

    private static void run(
            SetSearchOptions options,
            LineCounts changes,
            Optional<LineCounts> queries,
            Path output,
            PrintStream err)
            throws Exception {
        Configuration conf = new Configuration();
        // The file of answers would have those of the first attempt, too.
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        conf.set(PipelineOptions.OBJECT_REUSE, true);
        try (Session session = Session.open(conf, options.parallelism());
                LocalBackend backend = LocalBackend.of(session.first(), options.backend())) {
            StreamExecutionEnvironment env = session.newJob();
            SetSearchJob job =
                    new SetSearchJob(
                            backend.choice(),
                            options.corpusBytes() > 0
                                    ? options.corpusBytes()
                                    : SetSearchJob.corpusBytes(changes, env.getParallelism()),
                            output.toString());
            if (queries.isPresent()) {
                job.search(env, changes, queries.get(), options.kOrDefault());
            } else {
                job.follow(env, changes);
            }
            long startMillis = System.currentTimeMillis();
            JobExecutionResult result = env.execute(NAME);
            long endMillis = System.currentTimeMillis();
            long readMillis = Counters.count(result, Counters.READ_MILLIS);
            err.printf(
                    Locale.ROOT,
                    "%,d %s, %,.1f MB%s: job %.2f s, of which until all lines were read %.2f s"
                            + " (backend %s, parallelism %d)%n",
                    changes.lines(),
                    queries.isPresent() ? "documents" : "operations",
                    changes.bytes() / 1e6,
                    queries.map(q -> String.format(Locale.ROOT, ", %,d queries", q.lines()))
                            .orElse(""),
                    (endMillis - startMillis) / 1e3,
                    (readMillis - startMillis) / 1e3,
                    backend.description(),
                    env.getParallelism());
            session.print(err);
        }
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
