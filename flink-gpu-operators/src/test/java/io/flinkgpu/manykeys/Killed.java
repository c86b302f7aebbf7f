package io.flinkgpu.manykeys;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A job in a process of its own, which is killed at random moments after a checkpoint and started again from
 * the last one, until it ends; its results are in files, each of them once.
 */
final class Killed {

    private static final int MOST_MILLIS = 2_000;
    private static final int POLL_MILLIS = 20;

    private Killed() {}

    /**
     * Runs the job.
     *
     * @param times that it is killed
     * @throws IllegalStateException if results are wrong
     */
    static void run(Backend backend, int rows, int times, long seed, Path folder, PrintStream out)
            throws Exception {
        Random random = new Random(seed);
        ManyKeys of = KilledJob.rows(rows, seed);
        out.printf("%s seed=%d %s%n", backend, seed, of);
        for (int i = 0; i <= times; i++) {
            Optional<Path> from = lastCheckpoint(folder);
            Process process = start(backend, rows, seed, folder, from);
            try {
                if (i < times) {
                    awaitCheckpoint(process, folder, from);
                    int millis = random.nextInt(MOST_MILLIS);
                    if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
                        throw failed(process, folder, "ended before it was killed");
                    }
                    out.printf("killed %d ms after a checkpoint; began from %s%n", millis, from);
                } else if (process.waitFor() != 0) {
                    throw failed(process, folder, "failed");
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        Results results = read(of, folder);
        String difference = results.differenceFrom(Results.expected(of));
        out.printf("results=%d %s%n", results.size(), difference);
        if (!difference.isEmpty() || results.repeated() > 0) {
            throw new IllegalStateException(
                    difference + "; repeated=" + results.repeated() + ", seed=" + seed);
        }
    }

    private static Process start(
            Backend backend, int rows, long seed, Path folder, Optional<Path> from)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx768m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(KilledJob.class.getName());
        command.addAll(
                List.of(
                        backend.name(),
                        Integer.toString(rows),
                        Long.toString(seed),
                        folder.toString()));
        from.ifPresent(path -> command.add(path.toUri().toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    /** Returns when there is a checkpoint that the process did not begin from. */
    private static void awaitCheckpoint(Process process, Path folder, Optional<Path> from)
            throws Exception {
        while (lastCheckpoint(folder).equals(from)) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw failed(process, folder, "ended before a checkpoint");
            }
        }
    }

    private static IllegalStateException failed(Process process, Path folder, String what)
            throws IOException {
        return new IllegalStateException(
                "the job's process %s: exit code=%d, it printed: %s"
                        .formatted(
                                what,
                                process.exitValue(),
                                Files.readString(folder.resolve("log"))));
    }

    /** The newest checkpoint that is complete. */
    private static Optional<Path> lastCheckpoint(Path folder) throws IOException {
        Path checkpoints = Files.createDirectories(KilledJob.checkpoints(folder));
        List<Path> complete;
        try (Stream<Path> jobs = Files.list(checkpoints)) {
            complete = new ArrayList<>();
            for (Path job : jobs.toList()) {
                try (Stream<Path> all = Files.list(job)) {
                    all.filter(path -> Files.exists(path.resolve("_metadata")))
                            .forEach(complete::add);
                }
            }
        }
        return complete.stream()
                .max(Comparator.comparingInt(path -> number(path.getFileName().toString())));
    }

    /** Numbers go on after a restore. */
    private static int number(String checkpoint) {
        return Integer.parseInt(checkpoint.substring("chk-".length()));
    }

    /** The results of the files that were committed. */
    private static Results read(ManyKeys of, Path folder) throws IOException {
        Results results = new Results(of.keys());
        List<Path> files;
        try (Stream<Path> all = Files.walk(KilledJob.output(folder))) {
            files =
                    all.filter(Files::isRegularFile)
                            .filter(file -> !file.getFileName().toString().startsWith("."))
                            .toList();
        }
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split(" ");
                results.add(
                        Long.parseLong(parts[0]),
                        Integer.parseInt(parts[1]),
                        Long.parseLong(parts[2]));
            }
        }
        return results;
    }
}
