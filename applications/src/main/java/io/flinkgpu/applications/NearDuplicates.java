package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.search.Similarity;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import static java.nio.file.StandardOpenOption.CREATE_NEW;

/**
 * Alerts for lines of a stream that resemble earlier ones: each line is searched for among the last ones, and
 * then inserted. Exit codes: 0 done, 1 the job failed, 2 the caller's mistake.
 */
public final class NearDuplicates {

    private static final String NAME = "near-duplicates";
    private static final TypeInformation<ShingledLine> LINE =
            TypeInformation.of(ShingledLine.class);
    private static final TypeInformation<LineChange> CHANGE = TypeInformation.of(LineChange.class);
    private static final TypeInformation<Alert> ALERT = TypeInformation.of(Alert.class);

    /** Lines and their alerts wait for the next watermark, and memory is for those of an interval. */
    private static final Duration WATERMARKS = Duration.ofMillis(20);

    private NearDuplicates() {}

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
                NAME, out, err, () -> search(DuplicateOptions.parse(args), out, err));
    }

    private static void search(DuplicateOptions options, PrintStream out, PrintStream err)
            throws Exception {
        Optional<Path> input = input(options);
        Optional<Path> output = options.output().map(path -> path.toAbsolutePath().normalize());
        if (output.isPresent()) {
            NewFiles.check(output.get());
        }
        // No checkpoints, as a collected result would wait for the next one. So no restarts: they
        // would begin anew, and hide from the collector why.
        Configuration conf = new Configuration();
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        conf.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, WATERMARKS);
        StreamExecutionEnvironment env = Environments.of(conf, options.parallelism(), 0);
        Optional<MadeUpNews> news =
                input.isPresent() ? Optional.empty() : Optional.of(new MadeUpNews());
        AlertReport report = new AlertReport(news);
        JobExecutionResult result;
        String backendText;
        try (LocalBackend backend = LocalBackend.of(env, options.backend());
                Writer target = target(output, out)) {
            backendText = backend.description();
            DataStream<ShingledLine> lines =
                    news.isPresent()
                            ? madeUp(env, news.get(), options)
                            : linesOf(env, input.get(), options.shingles());
            result = execute(env, alerts(lines, options, backend.choice()), report, target);
        }
        report.print(result, backendText, env.getParallelism(), err);
    }

    private static Optional<Path> input(DuplicateOptions options) throws UsageException {
        if (options.input().isEmpty()) {
            return Optional.empty();
        }
        if (Files.isDirectory(options.input().get())) {
            throw new UsageException(
                    "input '"
                            + options.input().get()
                            + "' is a directory: name a file, as alerts are about its lines");
        }
        return Optional.of(InputFiles.list(List.of(options.input().get())).files().get(0));
    }

    private static Writer target(Optional<Path> output, PrintStream out)
            throws IOException, UsageException {
        if (output.isEmpty()) {
            return new PrintWriter(out, false, StandardCharsets.UTF_8);
        }
        try {
            // What another run has written meanwhile stays.
            return Files.newBufferedWriter(output.get(), CREATE_NEW);
        } catch (FileSystemException e) {
            throw NewFiles.notMade(e, output.get());
        }
    }

    /** One reader, so that lines come in order. */
    private static DataStream<ShingledLine> linesOf(
            StreamExecutionEnvironment env, Path file, Shingles shingles) {
        return env.fromSource(
                        LineFiles.of(FlinkPaths.of(file)).chunks(),
                        WatermarkStrategy.noWatermarks(),
                        "lines")
                .setParallelism(1)
                .flatMap(new LineShingler(shingles))
                .returns(LINE)
                .setParallelism(1);
    }

    private static DataStream<ShingledLine> madeUp(
            StreamExecutionEnvironment env, MadeUpNews news, DuplicateOptions options) {
        Shingles shingles = options.shingles();
        return env.fromSequence(1, options.rows())
                .setParallelism(1)
                .map(
                        number ->
                                new ShingledLine(
                                        number,
                                        shingles.of(
                                                news.text(number)
                                                        .getBytes(StandardCharsets.UTF_8))))
                .returns(LINE)
                .setParallelism(1);
    }

    /**
     * The alerts, in the order of the lines. In event time a line sees exactly the changes of the lines before
     * it, whatever runs ahead: its query has a time before that of its own insertion.
     */
    static DataStream<Alert> alerts(
            DataStream<ShingledLine> lines, DuplicateOptions options, BackendChoice backend) {
        int k = options.k();
        double minScore = options.minScore();
        SingleOutputStreamOperator<ShingledLine> queries =
                lines.map(new Counting<>(Counters.LINES))
                        .returns(LINE)
                        .setParallelism(1)
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.<ShingledLine>forMonotonousTimestamps()
                                        .withTimestampAssigner((line, none) -> line.queryTime()))
                        .setParallelism(1);
        SingleOutputStreamOperator<LineChange> changes =
                lines.flatMap(new LastLines(options.keep()))
                        .returns(CHANGE)
                        .setParallelism(1)
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.<LineChange>forMonotonousTimestamps()
                                        .withTimestampAssigner((change, none) -> change.time()))
                        .setParallelism(1);
        return GpuStreams.search(
                        queries,
                        line -> line.query(k, minScore),
                        changes,
                        LineChange::change,
                        GpuOptions.DEFAULT.withBackend(backend))
                .similarity(Similarity.JACCARD)
                .eventTime()
                .map(Alert::of, ALERT);
    }

    private static JobExecutionResult execute(
            StreamExecutionEnvironment env,
            DataStream<Alert> alerts,
            AlertReport report,
            Writer target)
            throws Exception {
        CloseableIterator<Alert> collected = alerts.collectAsync();
        try {
            JobClient job = env.executeAsync(NAME);
            while (collected.hasNext()) {
                Alert alert = collected.next();
                report.add(alert);
                target.append(alert.text());
            }
            target.flush();
            return job.getJobExecutionResult().get();
        } finally {
            collected.close();
        }
    }
}
