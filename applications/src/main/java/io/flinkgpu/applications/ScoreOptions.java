package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

/**
 * The command line of {@link ScoreClicks}.
 *
 * @param rows samples to score
 * @param rate samples a second; 0 for as many as can be scored
 * @param scale of the tables, where 1 is the size of the public data set
 * @param dimension of the vectors
 * @param hidden numbers of each of the two hidden layers
 * @param updates vectors that change while samples are scored
 * @param train samples that the model is trained on; 0 for a model of made-up weights
 * @param parallelism 0 for the environment's own
 */
record ScoreOptions(
        int rows,
        int rate,
        double scale,
        int dimension,
        int crosses,
        int hidden,
        int updates,
        int train,
        BackendChoice backend,
        int parallelism) {

    static final String USAGE =
            """
            Usage: examples/run score-clicks [options]

            Scores made-up clicks with a deep & cross network: how likely it is that an advertisement is
            clicked. A sample has 13 numbers and 26 ids, one of each of 26 tables of vectors, whose sizes
            are those of a public data set of clicks (Criteo Kaggle, 33,762,577 vectors) times --scale; few
            ids are very frequent. A second stream changes vectors meanwhile. The vectors and the network's
            weights are made up as well, always the same, so scores mean nothing unless --train first trains
            the network, which takes some 50,000 samples, on made-up samples of which some are clicked, by
            stochastic gradient descent; vectors stay as they are. Prints some scores, the rate, and how long
            samples took from where they are made to where their score is, at the median and at the 99th
            percentile. Without --rate samples come as fast as they are scored, and what they take is mostly
            waiting.

              --rows N         samples (default: 200000)
              --rate N         samples a second (default: as many as are scored)
              --scale S        sizes of the tables, 1 is that of the data set (default: 0.001)
              --dimension N    numbers of a vector (default: 16)
              --crosses N      cross layers (default: 3)
              --hidden N       numbers of each of the two hidden layers (default: 128)
              --updates N      vectors that change (default: 20000)
              --train N        samples that the network is trained on (default: 0)
              --backend NAME   auto, cpu or cuda (default: auto, which is the CPU)
              --parallelism N  parallel subtasks, each with all tables (default: the number of cores)
              --help           print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static ScoreOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        ScoreOptions options = new Parser(arguments).parse();
        arguments.check();
        return options;
    }

    private static final class Parser {

        private final Arguments arguments;
        private int rows = 200_000;
        private int rate;
        private double scale = 0.001;
        private int dimension = 16;
        private int crosses = 3;
        private int hidden = 128;
        private int updates = 20_000;
        private int train;
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        ScoreOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            return new ScoreOptions(
                    rows,
                    rate,
                    scale,
                    dimension,
                    crosses,
                    hidden,
                    updates,
                    train,
                    backend,
                    parallelism);
        }

        private void option(String name) {
            switch (name) {
                case "--rows" -> rows = arguments.number(name, 1, 1_000_000_000);
                case "--rate" -> rate = arguments.number(name, 1, 10_000_000);
                case "--scale" -> scale = arguments.decimal(name, 0, 1);
                case "--dimension" -> dimension = arguments.number(name, 1, 1_024);
                case "--crosses" -> crosses = arguments.number(name, 1, 100);
                case "--hidden" -> hidden = arguments.number(name, 1, 4_096);
                case "--updates" -> updates = arguments.number(name, 0, 1_000_000_000);
                case "--train" -> train = arguments.number(name, 0, 1_000_000_000);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1_024);
                default -> arguments.unknown(name, "see --help");
            }
        }
    }
}
