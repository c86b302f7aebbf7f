package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The command line of {@link SetSearch}: documents and queries, or operations.
 *
 * @param k documents of an answer; 0 if not given
 * @param corpusBytes of a shard; 0 for what the files need
 * @param parallelism 0 for the environment's own
 */
record SetSearchOptions(
        Optional<Path> documents,
        Optional<Path> queries,
        Optional<Path> operations,
        Optional<Path> output,
        int k,
        long corpusBytes,
        BackendChoice backend,
        int parallelism) {

    private static final int DEFAULT_K = 100;

    static final String USAGE =
            """
            Usage: examples/run set-search --documents FILE --queries FILE --output FILE [options]
                   examples/run set-search --operations FILE --output FILE [options]

            Finds the documents that are most like each query: by the elements that both have in common, of
            those that the larger one has. A document or query is a set of numbers from 0 to 4294967295, up
            to 1024 of them, written with ',' between. Of documents equally alike the one with the smaller id
            comes first. Where the time went is told on standard error.

              --documents FILE   a document a line, which may be empty; its id is the number of the line, the
                                 first is 0. examples/run generate-documents makes such files
              --queries FILE     a query a line
              --k N              documents of an answer (default: 100)
              --operations FILE  an operation a line, followed in the order of the file; tabs between fields:
                                 U, id, elements: inserts or replaces a document;
                                 D, id: deletes it, if it is there;
                                 Q, name, k, least score, 0 or 1, elements: a query; 1 lets in documents that
                                 have nothing in common with it
              --output FILE      a new file, a line for each query in the order of the file: of each document
                                 found id:common:max, where max is the size of the larger set, the best first
                                 with blanks between; answers to operations have the query's name and a tab
                                 before
              --corpus-bytes N   the most memory for the documents of one of the parallel subtasks where they
                                 are searched (default: by the sizes of the files)
              --backend NAME     auto, cpu or cuda (default: auto)
              --parallelism N    parallel subtasks, each with its part of the documents (default: the number of
                                 cores)
              --help             print this

            All documents are on the Java heap as well, which may be 60 % of the memory of the machine, or what
            JAVA_OPTS=-Xmx20g says: a document of 65 elements takes some 0.3 KB there, and 0.6 KB where the
            CPU searches.
            """;

    /**
     * Reads a command line.
     *
     * @throws UsageException with every error in it
     */
    static SetSearchOptions parse(String... args) throws UsageException {
        Arguments arguments = new Arguments(USAGE, args);
        SetSearchOptions options = new Parser(arguments).parse();
        arguments.check();
        options.checkFiles(arguments);
        arguments.check();
        return options;
    }

    /** Of an answer to a query of {@code queries}. */
    int kOrDefault() {
        return k > 0 ? k : DEFAULT_K;
    }

    private void checkFiles(Arguments arguments) {
        if (operations.isPresent() && (documents.isPresent() || queries.isPresent())) {
            arguments.error(
                    "--operations is there in place of --documents and --queries: leave it out, or them");
        } else if (operations.isEmpty() && (documents.isEmpty() || queries.isEmpty())) {
            arguments.error(
                    "options --documents and --queries are needed, or --operations: name files of"
                            + " sets, or make them with examples/run generate-documents");
        }
        if (operations.isPresent() && k > 0) {
            arguments.error(
                    "--k is for --queries: leave it out, each query among the operations has its own");
        }
        if (output.isEmpty()) {
            arguments.error("option --output is needed: name a new file");
        }
    }

    private static final class Parser {

        private final Arguments arguments;
        private Optional<Path> documents = Optional.empty();
        private Optional<Path> queries = Optional.empty();
        private Optional<Path> operations = Optional.empty();
        private Optional<Path> output = Optional.empty();
        private int k;
        private long corpusBytes;
        private BackendChoice backend = BackendChoice.AUTO;
        private int parallelism;

        Parser(Arguments arguments) {
            this.arguments = arguments;
        }

        SetSearchOptions parse() throws UsageException {
            while (arguments.hasNext()) {
                option(arguments.next());
            }
            return new SetSearchOptions(
                    documents, queries, operations, output, k, corpusBytes, backend, parallelism);
        }

        private void option(String name) {
            switch (name) {
                case "--documents" -> documents = arguments.path(name);
                case "--queries" -> queries = arguments.path(name);
                case "--operations" -> operations = arguments.path(name);
                case "--output" -> output = arguments.path(name);
                case "--k" -> k = arguments.number(name, 1, Integer.MAX_VALUE);
                case "--corpus-bytes" ->
                        corpusBytes = arguments.longNumber(name, 1 << 20, 1L << 50);
                case "--backend" -> backend = arguments.backend(name);
                case "--parallelism" -> parallelism = arguments.number(name, 1, 1024);
                default -> arguments.unknown(name, "files are given with options, see --help");
            }
        }
    }
}
