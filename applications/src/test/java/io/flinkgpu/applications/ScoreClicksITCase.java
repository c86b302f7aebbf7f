package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.dense.DensePlan;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole example on an embedded Flink, and what it makes up.
 *
 * <p>Covers: ScoreClicks, ClickModel, ScoreOptions.
 */
class ScoreClicksITCase {

    private static final int ROWS = 3_000;

    /** Of vectors and weights that are made by number. */
    private static final List<String> SCORES =
            List.of(
                    "sample  score",
                    "     0  0.263652",
                    "     1  0.236779",
                    "     2  0.254054",
                    "     3  0.287019",
                    "     4  0.258442",
                    "mean of all scores: 0.2691");

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void scoresAreThereAndAlwaysTheSameWithoutUpdates(int parallelism) {
        Cli run =
                Cli.runScores(
                        "--rows",
                        ROWS,
                        "--updates",
                        0,
                        "--dimension",
                        4,
                        "--hidden",
                        8,
                        "--crosses",
                        2,
                        "--backend",
                        "cpu",
                        "--parallelism",
                        parallelism);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).hasSize(10);
        assertThat(run.out().get(0)).isEqualTo("26 tables of 33,798 vectors of 4 numbers");
        assertThat(run.out().subList(1, 8)).isEqualTo(SCORES);
        assertThat(run.out().get(8)).matches("latency: p50 [0-9.]+ ms, p99 [0-9.]+ ms");
        assertThat(run.out().get(9))
                .matches(
                        "3,000 samples in [0-9.]+ s: [0-9,]+ samples/s \\(backend cpu, parallelism "
                                + parallelism
                                + "\\)");
    }

    @Test
    void updatesAndARateAreTaken() {
        Cli run =
                Cli.runScores(
                        "--rows",
                        200,
                        "--rate",
                        2_000,
                        "--updates",
                        500,
                        "--dimension",
                        2,
                        "--hidden",
                        2,
                        "--scale",
                        "0.0001",
                        "--backend",
                        "cpu");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out().get(9)).startsWith("200 samples in ");
    }

    @Test
    void trainingLearnsWhatIsClicked() throws UsageException {
        ClickTables tables = ClickTables.of(0.0001, 2);
        ScoreOptions options = ScoreOptions.parse("--dimension", "2", "--hidden", "16");
        ClickModel model = ScoreClicks.model(tables, options);
        ClickTrainer trainer = new ClickTrainer(tables);
        double first = trainer.train(model, 0, 2_000);
        trainer.train(model, 2_000, 30_000);
        assertThat(trainer.train(model, 32_000, 5_000)).isLessThan(first - 0.05);
    }

    /** And each step lowers the loss of its sample. */
    @Test
    void whatIsTrainedIsTheNetwork() throws UsageException {
        ClickTables tables = ClickTables.of(0.001, 4);
        ScoreOptions options =
                ScoreOptions.parse("--dimension", "4", "--hidden", "8", "--crosses", "2");
        ClickModel model = ScoreClicks.model(tables, options);
        float[] input = new ClickTrainer(tables).input(new Clicks(tables, 0).click(0, 0));
        double loss = model.step(input, true, 0.001f);
        String score = String.format(Locale.ROOT, "%6d  %.6f", 0, Math.exp(-loss));
        assertThat(score).isEqualTo(SCORES.get(1));
        for (int i = 0; i < 20; i++) {
            double next = model.step(input, true, 0.001f);
            assertThat(next).isLessThan(loss);
            loss = next;
        }
    }

    @Test
    void trainedModelsScore() {
        Cli run =
                Cli.runScores(
                        "--rows",
                        100,
                        "--updates",
                        0,
                        "--train",
                        1_000,
                        "--dimension",
                        2,
                        "--hidden",
                        4,
                        "--scale",
                        "0.0001",
                        "--backend",
                        "cpu");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out().get(0))
                .matches(
                        "trained on 1,000 samples: mean log loss of the first 100 0\\.[0-9]{4}, of the"
                                + " last 0\\.[0-9]{4}");
        assertThat(run.out().get(10)).startsWith("100 samples in ");
    }

    @Test
    void idsAreThoseOfTheTables() {
        ClickTables tables = ClickTables.of(0.0001, 2);
        Clicks clicks = new Clicks(tables, 0);
        List<Set<Long>> known = new ArrayList<>();
        for (int table = 0; table < ClickTables.COUNT; table++) {
            Set<Long> ids = new HashSet<>();
            for (int rank = 0; rank < tables.sizes()[table]; rank++) {
                ids.add(ClickTables.id(table, rank));
            }
            known.add(ids);
        }
        int first = 0;
        for (long number = 0; number < 1_000; number++) {
            Click click = clicks.click(number, 0);
            assertThat(click.numbers()).hasSize(Clicks.NUMBERS);
            for (int table = 0; table < ClickTables.COUNT; table++) {
                assertThat(known.get(table)).contains(click.ids()[table]);
            }
            first += click.ids()[2] == ClickTables.id(2, 0) ? 1 : 0;
        }
        // Of the thousand ids of the third table the most frequent comes once in seven or eight
        // times.
        assertThat(first).isBetween(80, 300);
    }

    @Test
    void theNetworkReadsWhatTheTablesGive() throws UsageException {
        ScoreOptions options = ScoreOptions.parse("--dimension", "3", "--hidden", "5");
        DensePlan network = ScoreClicks.model(ClickTables.of(0.0001, 3), options).network();
        assertThat(network.inputWidth()).isEqualTo(26 * 3 + 13);
        assertThat(network.outputWidth()).isEqualTo(1);
    }

    @Test
    void everyOptionIsRead() throws UsageException {
        assertThat(
                        ScoreOptions.parse(
                                "--rows=7",
                                "--rate=8",
                                "--scale",
                                "0.5",
                                "--dimension=9",
                                "--crosses=1",
                                "--hidden=10",
                                "--updates=0",
                                "--train=11",
                                "--backend=cuda",
                                "--parallelism=2"))
                .isEqualTo(new ScoreOptions(7, 8, 0.5, 9, 1, 10, 0, 11, BackendChoice.CUDA, 2));
        Cli help = Cli.runScores("--nonsense", "--help");
        assertThat(help.code()).isZero();
        assertThat(String.join("\n", help.out()))
                .contains("--rows", "--rate", "--scale", "--dimension", "--crosses", "--hidden")
                .contains("--updates", "--train", "--backend", "--parallelism", "--help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --row 5       | unknown option '--row'; did you mean '--rows'?
                    --rate 0      | option --rate is a whole number from 1 to 10000000, not '0'
                    --hidden 5000 | option --hidden is a whole number from 1 to 4096, not '5000'
                    --updates -1  | option --updates is a whole number from 0 to 1000000000, not '-1'
                    --backend gpu | option --backend is auto, cpu or cuda, not 'gpu': choose one
                    """)
    void mistakesAreOneLine(String args, String message) {
        Cli run = Cli.runScores((Object[]) args.split(" "));
        assertThat(run).isEqualTo(new Cli(2, List.of(), List.of("score-clicks: " + message)));
    }
}
