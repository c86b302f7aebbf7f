package io.flinkgpu.applications;

import java.io.PrintStream;
import java.util.List;

/**
 * The caller's mistake, or a question for help: nothing was started or written. Each line of a mistake names the
 * thing and the remedy.
 */
public final class UsageException extends Exception {

    private static final long serialVersionUID = 1L;

    private final List<String> lines;

    /** Null if it was not asked for. */
    private final String help;

    public UsageException(List<String> lines) {
        this(lines, null);
    }

    private UsageException(List<String> lines, String help) {
        super(String.join(System.lineSeparator(), lines));
        this.lines = List.copyOf(lines);
        this.help = help;
    }

    public UsageException(String line) {
        this(List.of(line));
    }

    /** Help was asked for. */
    static UsageException help(String usage) {
        return new UsageException(List.of(), usage);
    }

    /** Prints what the caller has to know; gives the exit code. */
    int print(String program, PrintStream out, PrintStream err) {
        if (help != null) {
            out.print(help);
            return 0;
        }
        lines.forEach(line -> err.println(program + ": " + line));
        return 2;
    }

    /** One line an error; none if help was asked for. */
    public List<String> lines() {
        return lines;
    }
}
