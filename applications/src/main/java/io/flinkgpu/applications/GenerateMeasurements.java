package io.flinkgpu.applications;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Locale;

/** Makes input for {@link OneBillionRows}. Exit codes: 0 done, 1 failed, 2 the caller's mistake. */
public final class GenerateMeasurements {

    private static final String NAME = "generate-measurements";

    private GenerateMeasurements() {}

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
                () -> generate(MeasurementOptions.parse(args), out));
    }

    private static void generate(MeasurementOptions options, PrintStream out)
            throws UsageException, IOException {
        Path file = options.output().toAbsolutePath().normalize();
        NewFiles.check(file);
        long started = System.nanoTime();
        long bytes;
        try {
            bytes =
                    new Measurements(options.keys(), options.rows(), options.seed())
                            .write(file, Runtime.getRuntime().availableProcessors());
        } catch (FileSystemException e) {
            throw NewFiles.notMade(e, file);
        }
        out.printf(
                Locale.ROOT,
                "%,d rows, %.1f MB in %.2f s: %s%n",
                options.rows(),
                bytes / 1e6,
                (System.nanoTime() - started) / 1e9,
                file);
    }
}
