package io.flinkgpu.applications;

import io.flinkgpu.applications.GeneratedSets.QueryKind;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The command line of {@link GenerateDocuments}.
 *
 * @param elements how many different ones there are
 * @param seed of documents
 * @param elementSeed of which elements are frequent
 */
record DocumentOptions(
        int documents,
        int queries,
        int elements,
        double skew,
        Optional<Path> lengths,
        Order order,
        QueryKind queryKind,
        long seed,
        long querySeed,
        long elementSeed,
        Optional<Path> outputDocuments,
        Optional<Path> outputQueries) {

    /** How documents follow each other. */
    enum Order {
        /** The shortest first. */
        SORTED,

        /** Any length after any other. */
        SHUFFLED
    }

    static final String USAGE =
            """
            Usage: examples/run generate-documents --output-documents FILE [--output-queries FILE] [options]

            Writes files for examples/run set-search: a set a line, its elements in ascending order with ','
            between, and nothing for an empty set. About 370 bytes a document. The same seeds give the same
            files; a document or query depends on the seeds and its number alone.

              --output-documents FILE   a new file
              --output-queries FILE     a new file, too; one of the two may be left out
              --documents N      lines of the first (default: 1000000)
              --queries N        lines of the second (default: 1000)
              --elements N       elements are numbers from 0 to N - 1 (default: 50001)
              --skew S           how often elements come, 0 to 1.5: in proportion to 1 / rank^S by Zipf's
                                 law; 0: all alike (default: 0)
              --lengths FILE     lengths of documents as a histogram: lines of a length, a blank and how many
                                 documents have it (default: two dice of 0 to 63 and 1, so 1 to 127, and 64 on
                                 average)
              --order NAME       sorted: the shortest document first; or shuffled (default: sorted)
              --query-kind NAME  uniform: 1 to 128 elements, all alike; drawn: like a document; or changed: a
                                 document of which about 3 of 10 elements are drawn again (default: uniform)
              --seed S           of documents (default: 7)
              --query-seed S     of queries (default: 99)
              --element-seed S   of which elements are the frequent ones (default: 42)
              --help             print this
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static DocumentOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        DocumentOptions options = new Parser(arguments).parse();
        arguments.check();
        if (options.outputDocuments.isEmpty() && options.outputQueries.isEmpty()) {
            throw new UsageException(
                    "option --output-documents or --output-queries is needed: name a new file");
        }
        return options;
    }

    private static final class Parser {

        private static final long MAX_SEED = 999_999_999_999L;

        private final Arguments arguments;
        private int documents = 1_000_000;
        private int queries = 1_000;
        private int elements = 50_001;
        private double skew;
        private Optional<Path> lengths = Optional.empty();
        private Order order = Order.SORTED;
        private QueryKind queryKind = QueryKind.UNIFORM;
        private long seed = 7;
        private long querySeed = 99;
        private long elementSeed = 42;
        private Optional<Path> outputDocuments = Optional.empty();
        private Optional<Path> outputQueries = Optional.empty();

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        DocumentOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            return new DocumentOptions(
                    documents,
                    queries,
                    elements,
                    skew,
                    lengths,
                    order,
                    queryKind,
                    seed,
                    querySeed,
                    elementSeed,
                    outputDocuments,
                    outputQueries);
        }

        private void option(String name) {
            switch (name) {
                case "--documents" -> documents = arguments.number(name, 1, 2_000_000_000);
                case "--queries" -> queries = arguments.number(name, 1, 1_000_000_000);
                case "--elements" -> elements = arguments.number(name, 256, 100_000_000);
                case "--skew" -> skew = arguments.decimal(name, 0, 1.5);
                case "--lengths" -> lengths = arguments.path(name);
                case "--order" -> order = arguments.word(name, List.of(Order.values()));
                case "--query-kind" ->
                        queryKind = arguments.word(name, List.of(QueryKind.values()));
                case "--seed" -> seed = arguments.longNumber(name, 0, MAX_SEED);
                case "--query-seed" -> querySeed = arguments.longNumber(name, 0, MAX_SEED);
                case "--element-seed" -> elementSeed = arguments.longNumber(name, 0, MAX_SEED);
                case "--output-documents" -> outputDocuments = arguments.path(name);
                case "--output-queries" -> outputQueries = arguments.path(name);
                default -> arguments.unknown(name, "see --help");
            }
        }
    }
}
