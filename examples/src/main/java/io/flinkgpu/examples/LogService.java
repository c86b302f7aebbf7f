package io.flinkgpu.examples;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The service that wrote a line of a log, as the line tells it. */
final class LogService {

    private static final int HEAD_CHARS = 500;
    private static final String NAME = "([A-Za-z][A-Za-z0-9_.$/-]{0,80})";

    private static final Pattern[] PATTERNS = {
        // "service":"payments", service=payments
        Pattern.compile("(?<![A-Za-z0-9_])service\"?[=:] ?\"?" + NAME + "(?![A-Za-z0-9_.$/-])"),
        // INFO [http-4] OrderService - ..., INFO nova.compute.manager [req-..., INFO dfs.DataNode:
        // ...
        Pattern.compile(
                "(?<![A-Z])(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL) +(?:\\[[^\\]]{0,80}\\] +)?"
                        + NAME
                        + "(?:: | - | \\[)"),
        // sshd[1234]: ...
        Pattern.compile("(?<![A-Za-z0-9_.$/-])" + NAME + "\\[\\d{1,9}\\]: ")
    };

    private LogService() {}

    /** Letters, digits and {@code _.$/-}; empty if the line names no service near its start. */
    static Optional<String> find(String line) {
        String head = line.length() <= HEAD_CHARS ? line : line.substring(0, HEAD_CHARS);
        for (Pattern pattern : PATTERNS) {
            Matcher matcher = pattern.matcher(head);
            if (matcher.find()) {
                return Optional.of(matcher.group(1));
            }
        }
        return Optional.empty();
    }

    /** The name of a file without its folder and its ending, fit for a table. */
    static String ofFile(String redactedName) {
        String name = Printable.of(redactedName);
        int dot = name.indexOf('.', 1);
        return dot < 0 ? name : name.substring(0, dot);
    }
}
