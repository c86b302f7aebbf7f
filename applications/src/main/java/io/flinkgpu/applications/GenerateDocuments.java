package io.flinkgpu.applications;

import io.flinkgpu.applications.DocumentOptions.Order;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Makes documents and queries for a set search. Exit codes: 0 done, 1 failed, 2 the caller's mistake. */
public final class GenerateDocuments {

    private static final String NAME = "generate-documents";
    private static final int BLOCK_SETS = 1024;

    private GenerateDocuments() {}

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
                e -> (e instanceof IOException ? "cannot write: " : "failed: ") + Causes.oneLine(e),
                () -> generate(DocumentOptions.parse(args), out));
    }

    private static void generate(DocumentOptions options, PrintStream out)
            throws UsageException, IOException {
        Optional<Path> documents = newFile(options.outputDocuments());
        Optional<Path> queries = newFile(options.outputQueries());
        if (documents.isPresent() && documents.equals(queries)) {
            throw new UsageException(
                    "--output-documents and --output-queries are one file, '"
                            + documents.get()
                            + "': name two");
        }
        GeneratedSets sets = sets(options);
        if (documents.isPresent()) {
            write("documents", sets::document, options.documents(), sets, documents.get(), out);
        }
        if (queries.isPresent()) {
            write("queries", sets::query, options.queries(), sets, queries.get(), out);
        }
    }

    private static Optional<Path> newFile(Optional<Path> output) throws UsageException {
        Optional<Path> file = output.map(path -> path.toAbsolutePath().normalize());
        if (file.isPresent()) {
            NewFiles.check(file.get());
        }
        return file;
    }

    private static GeneratedSets sets(DocumentOptions options) throws UsageException {
        SetLengths lengths =
                options.lengths().isPresent()
                        ? SetLengths.read(options.lengths().get())
                        : SetLengths.TWO_DICE;
        // Of fewer, the last ones of the longest sets would be drawn for ever.
        if (options.elements() < 2 * lengths.longest()) {
            throw new UsageException(
                    "--elements is at least twice the longest document: elements="
                            + options.elements()
                            + ", longest="
                            + lengths.longest()
                            + "; ask for more elements or shorter documents");
        }
        return new GeneratedSets(
                options.documents(),
                new ElementDraws(options.elements(), options.skew(), options.elementSeed()),
                lengths,
                options.order() == Order.SORTED,
                options.queryKind(),
                options.seed(),
                options.querySeed());
    }

    /** Draws the set with a number. */
    private interface Draw {

        void set(long number, DrawnSet target);
    }

    private static void write(
            String what, Draw draw, long count, GeneratedSets sets, Path file, PrintStream out)
            throws UsageException, IOException {
        long started = System.nanoTime();
        long bytes;
        try {
            bytes =
                    BlockFile.write(
                            file,
                            (count + BLOCK_SETS - 1) / BLOCK_SETS,
                            BLOCK_SETS * DrawnSet.maxLineBytes(sets.longest()),
                            Runtime.getRuntime().availableProcessors(),
                            () -> lines(draw, count, sets.newSet()));
        } catch (FileSystemException e) {
            throw NewFiles.notMade(e, file);
        }
        out.printf(
                Locale.ROOT,
                "%,d %s, %.1f MB in %.2f s: %s%n",
                count,
                what,
                bytes / 1e6,
                (System.nanoTime() - started) / 1e9,
                file);
    }

    private static BlockFile.Maker lines(Draw draw, long count, DrawnSet set) {
        return (block, number) -> {
            long end = Math.min(count, (number + 1) * BLOCK_SETS);
            int at = 0;
            for (long next = number * BLOCK_SETS; next < end; next++) {
                draw.set(next, set);
                at = set.copyLine(block, at);
            }
            return at;
        };
    }
}
