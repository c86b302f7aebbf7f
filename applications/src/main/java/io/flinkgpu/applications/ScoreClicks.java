package io.flinkgpu.applications;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Feature;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.api.lookup.VectorChange;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Scores made-up clicks with a deep &amp; cross network while the vectors that it reads change. Exit codes: 0 done, 1 the
 * job failed, 2 the caller's mistake.
 */
public final class ScoreClicks {

    private static final String NAME = "score-clicks";
    private static final int TRAIN_PARTS = 10;
    private static final TypeInformation<Click> CLICK = TypeInformation.of(Click.class);
    private static final TypeInformation<VectorUpdate> UPDATE =
            TypeInformation.of(VectorUpdate.class);
    private static final TypeInformation<ClickScore> SCORE = TypeInformation.of(ClickScore.class);

    private ScoreClicks() {}

    public static void main(String[] args) {
        Environments.exit(NAME, run(args, System.out, System.err));
    }

    /**
     * Runs the whole example.
     *
     * @return the exit code
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return CommandLine.run(NAME, out, err, () -> score(ScoreOptions.parse(args), out));
    }

    private static void score(ScoreOptions options, PrintStream out) throws Exception {
        // No checkpoints, as a collected result would wait for the next one, and so no restarts.
        Configuration conf = new Configuration();
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        StreamExecutionEnvironment env = Environments.of(conf, options.parallelism(), 0);
        Path folder = Files.createTempDirectory(NAME);
        try (LocalBackend backend = LocalBackend.of(env, options.backend())) {
            ClickTables tables = ClickTables.of(options.scale(), options.dimension());
            EmbeddingTable[] stored = tables.write(folder);
            ScoreReport report = new ScoreReport();
            ClickModel model = model(tables, options);
            train(model, tables, options.train(), out);
            Scoring scoring = scoring(model);
            DataStream<ClickScore> scores = scores(env, tables, stored, scoring, options, backend);
            JobExecutionResult result = execute(env, scores, report);
            report.print(result, tables, backend.description(), env.getParallelism(), out);
        } finally {
            delete(folder);
        }
    }

    private static DataStream<ClickScore> scores(
            StreamExecutionEnvironment env,
            ClickTables tables,
            EmbeddingTable[] stored,
            Scoring scoring,
            ScoreOptions options,
            LocalBackend backend) {
        DataStream<Click> clicks =
                env.fromSequence(0, options.rows() - 1L)
                        .setParallelism(1)
                        .map(new Clicks(tables, options.rate()))
                        .returns(CLICK)
                        .setParallelism(1)
                        .rebalance();
        int count = options.updates();
        // There is no sequence without numbers.
        DataStream<VectorUpdate> updates =
                env.fromSequence(0, Math.max(0, count - 1))
                        .setParallelism(1)
                        .filter(number -> number < count)
                        .setParallelism(1)
                        .map(new VectorUpdates(tables))
                        .returns(UPDATE)
                        .setParallelism(1);
        return GpuStreams.lookup(
                        clicks,
                        Click::request,
                        updates,
                        update ->
                                VectorChange.upsert(
                                        ClickTables.name(update.table()),
                                        update.id(),
                                        update.values()),
                        GpuOptions.DEFAULT.withBackend(backend.choice()))
                .tables(stored)
                .score(scoring)
                .map(ClickScore::of, SCORE);
    }

    /** A model that reads the vectors of a sample and its numbers. */
    static ClickModel model(ClickTables tables, ScoreOptions options) {
        int width = ClickTables.COUNT * tables.dimension() + Clicks.NUMBERS;
        return new ClickModel(width, options.crosses(), options.hidden());
    }

    private static void train(ClickModel model, ClickTables tables, int samples, PrintStream out) {
        if (samples == 0) {
            return;
        }
        int part = Math.max(1, samples / TRAIN_PARTS);
        ClickTrainer trainer = new ClickTrainer(tables);
        double first = trainer.train(model, 0, part);
        double last = first;
        for (int done = part; done < samples; done += part) {
            last = trainer.train(model, done, Math.min(part, samples - done));
        }
        out.printf(
                Locale.ROOT,
                "trained on %,d samples: mean log loss of the first %,d %.4f, of the last %.4f%n",
                samples,
                part,
                first,
                last);
    }

    /** What a score is computed by. */
    static Scoring scoring(ClickModel model) {
        List<Feature> features =
                Stream.iterate(0, table -> table + 1)
                        .limit(ClickTables.COUNT)
                        .map(table -> Feature.of(ClickTables.name(table)))
                        .toList();
        return new Scoring(model.network(), Clicks.NUMBERS, features);
    }

    private static JobExecutionResult execute(
            StreamExecutionEnvironment env, DataStream<ClickScore> scores, ScoreReport report)
            throws Exception {
        CloseableIterator<ClickScore> collected = scores.collectAsync();
        try {
            JobClient job = env.executeAsync(NAME);
            collected.forEachRemaining(report::add);
            return job.getJobExecutionResult().get();
        } finally {
            collected.close();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
