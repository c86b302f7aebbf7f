package io.flinkgpu.examples;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a job reads and writes.
 *
 * @param input the files; none until {@link #make} where a sample stands in for them
 * @param output absolute; null until {@link #make} where a temporary directory stands in for it
 */
record Places(InputFiles input, Path output) {

    private static final String CLAIM = ".log-redaction-is-running";
    private static final long SAMPLE_SEED = 20_260_302L;

    /**
     * Checks the places that a command line names; writes nothing.
     *
     * @param local whether the job runs on this machine
     * @throws UsageException with every error
     */
    static Places check(Options options, boolean local) throws UsageException {
        if (!local && (options.inputs().isEmpty() || options.output().isEmpty())) {
            throw new UsageException(
                    "on a cluster give --input and --output: folders that all its machines see");
        }
        List<String> errors = new ArrayList<>();
        Optional<Path> output = options.output().map(path -> path.toAbsolutePath().normalize());
        output.flatMap(Places::outputProblem).ifPresent(errors::add);
        for (Path in : options.inputs()) {
            if (output.isPresent() && isInside(output.get(), in)) {
                errors.add(
                        "output '"
                                + output.get()
                                + "' is inside input '"
                                + in
                                + "', so the next run would read it: name one outside");
            }
        }
        InputFiles input = InputFiles.NONE;
        try {
            input = InputFiles.list(options.inputs());
        } catch (UsageException e) {
            errors.addAll(e.lines());
        }
        if (!errors.isEmpty()) {
            throw new UsageException(errors);
        }
        return new Places(input, output.orElse(null));
    }

    private static boolean isInside(Path output, Path input) {
        return Files.isDirectory(input) && output.startsWith(input.toAbsolutePath().normalize());
    }

    /**
     * Makes the output directory its own, so that no two runs write there, and the sample and the
     * temporary directory where they are called for.
     */
    Places make(int sampleMb) throws IOException, UsageException {
        Places made = makePaths(sampleMb);
        Files.createDirectories(made.output);
        Path claim = made.output.resolve(CLAIM);
        try {
            Files.createFile(claim);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(
                    "another run writes to output directory '"
                            + made.output
                            + "': name another one");
        }
        claim.toFile().deleteOnExit();
        return made;
    }

    /** Gives the output directory free, once the job has ended. */
    void release() throws IOException {
        Files.deleteIfExists(output.resolve(CLAIM));
    }

    private Places makePaths(int sampleMb) throws IOException, UsageException {
        if (!input.files().isEmpty() && output != null) {
            return this;
        }
        Path work = Files.createTempDirectory("log-redaction-");
        InputFiles files = input;
        if (files.files().isEmpty()) {
            Path sample = Files.createDirectory(work.resolve("sample"));
            SampleLogs.write(sample, sampleMb * 1_000_000L, SAMPLE_SEED);
            files = InputFiles.list(List.of(sample));
        }
        return new Places(files, output == null ? work.resolve("redacted") : output);
    }

    private static Optional<String> outputProblem(Path output) {
        if (!Files.exists(output)) {
            Path parent = output.getParent();
            while (parent != null && !Files.exists(parent)) {
                parent = parent.getParent();
            }
            return parent != null && Files.isDirectory(parent) && Files.isWritable(parent)
                    ? Optional.empty()
                    : Optional.of(
                            "cannot make output directory '"
                                    + output
                                    + "': name one where you may write");
        }
        if (!Files.isDirectory(output)) {
            return Optional.of("output '" + output + "' is not a directory: name a new one");
        }
        try (Stream<Path> entries = Files.list(output)) {
            List<Path> found = entries.toList();
            if (found.isEmpty()) {
                return Optional.empty();
            }
            boolean hidden =
                    found.stream().allMatch(file -> file.getFileName().toString().startsWith("."));
            return Optional.of(
                    "output directory '"
                            + output
                            + (hidden
                                    ? "' holds hidden files of a run that goes on or was"
                                            + " interrupted: name a new one, or delete it"
                                    : "' is not empty: name a new or empty one"));
        } catch (IOException e) {
            return Optional.of(
                    "cannot list output directory '" + output + "': make it readable and writable");
        }
    }
}
