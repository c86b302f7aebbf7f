package io.flinkgpu.applications;

import java.util.List;

/** The caller's mistake: nothing was started or written. Each line names the thing and the remedy. */
public final class UsageException extends Exception {

    private static final long serialVersionUID = 1L;

    private final List<String> lines;

    public UsageException(List<String> lines) {
        super(String.join(System.lineSeparator(), lines));
        this.lines = List.copyOf(lines);
    }

    public UsageException(String line) {
        this(List.of(line));
    }

    /** One line an error, at least one. */
    public List<String> lines() {
        return lines;
    }
}
