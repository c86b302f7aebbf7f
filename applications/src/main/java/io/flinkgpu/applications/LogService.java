package io.flinkgpu.applications;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The service that wrote a line of a log, as the line tells it. */
final class LogService {

    private static final int HEAD_CHARS = 500;
    private static final String NAME = "([A-Za-z][A-Za-z0-9_.$/-]{0,80})";

    /** "service":"payments", service=payments. */
    private static final Pattern NAMED =
            Pattern.compile("(?<![A-Za-z0-9_])service\"?[=:] ?\"?" + NAME + "(?![A-Za-z0-9_.$/-])");

    private static final Pattern LEVEL =
            Pattern.compile("(?<![A-Z])(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)(?![A-Z])");

    /** After the level: [http-4] OrderService - ..., nova.compute [req-..., dfs.DataNode: .... */
    private static final Pattern COMPONENT =
            Pattern.compile(" +(?:\\[[^\\]]{0,200}\\] +)?" + NAME + "(?:: | - | \\[)");

    /** sshd[1234]: .... */
    private static final Pattern PROCESS =
            Pattern.compile("(?<![A-Za-z0-9_.$/-])" + NAME + "\\[\\d{1,9}\\]: ");

    private LogService() {}

    /** Letters, digits and {@code _.$/-}; empty if the line names no service near its start. */
    static Optional<String> find(String line) {
        String head = line.length() <= HEAD_CHARS ? line : line.substring(0, HEAD_CHARS);
        Matcher named = NAMED.matcher(head);
        if (named.find()) {
            return Optional.of(named.group(1));
        }
        Matcher level = LEVEL.matcher(head);
        if (level.find()) {
            Matcher component = COMPONENT.matcher(head).region(level.end(), head.length());
            if (component.lookingAt()) {
                return Optional.of(component.group(1));
            }
        }
        Matcher process = PROCESS.matcher(head);
        return process.find() ? Optional.of(process.group(1)) : Optional.empty();
    }

    /** The name of a file without its folder and its ending, fit for a table. */
    static String ofFile(String redactedName) {
        String name = Printable.of(redactedName);
        int dot = name.indexOf('.', 1);
        return dot < 0 ? name : name.substring(0, dot);
    }
}
