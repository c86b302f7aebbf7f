package io.flinkgpu.applications;

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
 * @param stats absolute, if there are to be statistics
 */
record Places(InputFiles input, Path output, Optional<Path> stats) {

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
        Optional<Path> output = check("output", options.output(), options, errors);
        Optional<Path> stats = check("stats", options.stats(), options, errors);
        if (output.isPresent() && stats.isPresent() && overlap(output.get(), stats.get())) {
            errors.add(
                    "output '"
                            + output.get()
                            + "' and stats '"
                            + stats.get()
                            + "' are one folder, or one is inside the other: name separate ones");
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
        return new Places(input, output.orElse(null), stats);
    }

    /** A folder to write to, absolute; what is wrong with it goes to the errors. */
    private static Optional<Path> check(
            String what, Optional<Path> given, Options options, List<String> errors) {
        Optional<Path> folder = given.map(path -> path.toAbsolutePath().normalize());
        folder.flatMap(path -> folderProblem(what, path)).ifPresent(errors::add);
        folder.flatMap(path -> FlinkPaths.nameProblem(what, path)).ifPresent(errors::add);
        for (Path in : options.inputs()) {
            if (folder.isPresent() && isInside(folder.get(), in)) {
                errors.add(
                        what
                                + " '"
                                + folder.get()
                                + "' is inside input '"
                                + in
                                + "', so the next run would read it: name one outside");
            }
        }
        return folder;
    }

    private static boolean overlap(Path a, Path b) {
        return real(a).startsWith(real(b)) || real(b).startsWith(real(a));
    }

    private static boolean isInside(Path output, Path input) {
        return Files.isDirectory(input)
                && real(output).startsWith(real(input.toAbsolutePath().normalize()));
    }

    /** A path without links, as far as it exists. */
    private static Path real(Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            try {
                return at.toRealPath().resolve(at.relativize(path));
            } catch (IOException e) {
                // It does not exist yet, or may not be seen: what is above it tells.
                continue;
            }
        }
        return path;
    }

    /**
     * Makes the directories it writes to its own, so that no two runs write there, and the sample and
     * the temporary directory where they are called for.
     */
    Places make(int sampleMb) throws IOException, UsageException {
        Places made = makePaths(sampleMb);
        claim("output", made.output);
        if (stats.isPresent()) {
            try {
                claim("stats", stats.get());
            } catch (IOException | UsageException e) {
                Files.deleteIfExists(made.output.resolve(CLAIM));
                throw e;
            }
        }
        return made;
    }

    private static void claim(String what, Path folder) throws IOException, UsageException {
        Files.createDirectories(folder);
        Path claim = folder.resolve(CLAIM);
        try {
            Files.createFile(claim);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(
                    "another run writes to "
                            + what
                            + " directory '"
                            + folder
                            + "': name another one");
        }
        // A run that has ended since the check has left its files there.
        Optional<String> problem = contentProblem(what, folder, CLAIM);
        if (problem.isPresent()) {
            Files.delete(claim);
            throw new UsageException(problem.get());
        }
        claim.toFile().deleteOnExit();
    }

    /** Gives its directories free, once the job has ended. */
    void release() throws IOException {
        Files.deleteIfExists(output.resolve(CLAIM));
        if (stats.isPresent()) {
            Files.deleteIfExists(stats.get().resolve(CLAIM));
        }
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
        return new Places(files, output == null ? work.resolve("redacted") : output, stats);
    }

    static Optional<String> folderProblem(String what, Path folder) {
        if (!Files.exists(folder)) {
            Path parent = folder.getParent();
            while (parent != null && !Files.exists(parent)) {
                parent = parent.getParent();
            }
            return parent != null && Files.isDirectory(parent) && Files.isWritable(parent)
                    ? Optional.empty()
                    : Optional.of(
                            "cannot make "
                                    + what
                                    + " directory '"
                                    + folder
                                    + "': name one where you may write");
        }
        if (!Files.isDirectory(folder)) {
            return Optional.of(what + " '" + folder + "' is not a directory: name a new one");
        }
        if (!Files.isWritable(folder)) {
            return Optional.of(
                    "cannot write to "
                            + what
                            + " directory '"
                            + folder
                            + "': name one where you may write");
        }
        return contentProblem(what, folder, "");
    }

    /**
     * @param own the name of a file that may be there
     */
    private static Optional<String> contentProblem(String what, Path folder, String own) {
        try (Stream<Path> entries = Files.list(folder)) {
            List<String> found =
                    entries.map(file -> file.getFileName().toString())
                            .filter(name -> !name.equals(own))
                            .toList();
            if (found.isEmpty()) {
                return Optional.empty();
            }
            boolean hidden = found.stream().allMatch(name -> name.startsWith("."));
            return Optional.of(
                    what
                            + " directory '"
                            + folder
                            + (hidden
                                    ? "' holds hidden files of a run that goes on or was"
                                            + " interrupted: name a new one, or delete it"
                                    : "' is not empty: name a new or empty one"));
        } catch (IOException e) {
            return Optional.of(
                    "cannot list "
                            + what
                            + " directory '"
                            + folder
                            + "': make it readable and writable");
        }
    }
}
