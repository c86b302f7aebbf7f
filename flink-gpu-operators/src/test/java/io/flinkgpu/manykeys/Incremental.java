package io.flinkgpu.manykeys;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The bytes of checkpoints, each after 1 % of the keys have changed: those of the files that are new. */
final class Incremental {

    private static final int PARTS = 100;

    private Incremental() {}

    static void run(Backend backend, int keys, int checkpoints, Path folder, PrintStream out)
            throws Exception {
        long part = keys / PARTS;
        ManyKeys rows =
                new ManyKeys(
                        7,
                        keys,
                        0,
                        true,
                        "sensor-",
                        keys + checkpoints * part,
                        1000,
                        1 << 30,
                        1 << 30);
        try (Held held = new Held(rows, backend.cluster(folder))) {
            Configuration config = backend.configuration(folder, Duration.ofDays(1));
            JobClient job = held.start(config, 2, null, 2L << 30);
            Set<Path> known = new HashSet<>();
            long full = 0;
            long all = 0;
            for (int i = 0; i <= checkpoints; i++) {
                Gate.open(i == 0 ? keys : part);
                Gate.await();
                TimeUnit.SECONDS.sleep(1);
                long start = System.nanoTime();
                held.cluster().triggerCheckpoint(job.getJobID()).get();
                double seconds = Rescale.seconds(start);
                long bytes = newBytes(folder, known);
                full = i == 0 ? bytes : full;
                all += i == 0 ? 0 : bytes;
                out.printf(
                        "%s keys=%d checkpoint %d: %.2f s, %.2f MB in new files, %.2f %% of the first%n",
                        backend, keys, i + 1, seconds, bytes / 1e6, 100.0 * bytes / full);
            }
            out.printf(
                    "%s keys=%d: %.2f %% of the first on average%n",
                    backend, keys, 100.0 * all / checkpoints / full);
            Gate.open(Gate.ALL);
            job.getJobExecutionResult().get();
            String difference = held.results().differenceFrom(Results.expected(rows));
            if (!difference.isEmpty()) {
                throw new IllegalStateException(difference);
            }
        }
    }

    private static long newBytes(Path folder, Set<Path> known) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(known::add)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
