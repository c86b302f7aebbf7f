package io.flinkgpu.applications;

import java.io.PrintStream;
import java.util.function.Function;

/** How a program of the command line ends. */
public final class CommandLine {

    /** What a program does. */
    @FunctionalInterface
    public interface Program {

        /**
         * Does it.
         *
         * @throws UsageException if nothing was started or written
         */
        void run() throws Exception;
    }

    private CommandLine() {}

    /**
     * Runs a program that runs a job.
     *
     * @return the exit code: 0 done, 1 it failed, 2 the caller's mistake
     */
    public static int run(String name, PrintStream out, PrintStream err, Program program) {
        return run(name, out, err, e -> "the job failed: " + Causes.oneLine(e), program);
    }

    /**
     * Runs a program.
     *
     * @param failure what is said of a failure, in one line
     * @return the exit code: 0 done, 1 it failed, 2 the caller's mistake
     */
    public static int run(
            String name,
            PrintStream out,
            PrintStream err,
            Function<Throwable, String> failure,
            Program program) {
        try {
            program.run();
            return 0;
        } catch (UsageException e) {
            return e.print(name, out, err);
        } catch (Exception | OutOfMemoryError e) {
            err.println(name + ": " + failure.apply(e));
            return 1;
        }
    }
}
