package io.flinkgpu.applications;

import java.io.PrintStream;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The first windows of each kind, a table each. A result that comes again replaces the one before. */
final class WindowTables {

    private static final int WINDOWS = 3;
    private static final int SENSORS = 5;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private final Map<String, Windows> kinds = new TreeMap<>();

    void add(WindowRow row) {
        kinds.computeIfAbsent(row.windows(), kind -> new Windows()).add(row);
    }

    void print(PrintStream out) {
        kinds.forEach(
                (kind, windows) -> {
                    out.println();
                    out.println(kind);
                    windows.print(out);
                });
    }

    /** The windows of a kind; only those to be printed are kept. */
    private static final class Windows {

        private final TreeMap<Long, TreeMap<String, WindowRow>> first = new TreeMap<>();
        private final Set<Long> starts = new HashSet<>();

        void add(WindowRow row) {
            starts.add(row.startMillis());
            first.computeIfAbsent(row.startMillis(), start -> new TreeMap<>())
                    .put(row.sensor(), row);
            if (first.size() > WINDOWS) {
                first.pollLastEntry();
            }
        }

        void print(PrintStream out) {
            first.values().forEach(rows -> print(rows, out));
            more(out, "  ", starts.size() - first.size(), "window");
        }

        private static void print(TreeMap<String, WindowRow> rows, PrintStream out) {
            WindowRow any = rows.firstEntry().getValue();
            int width = Math.max(6, any.sensor().length());
            String line = "    %-" + width + "s %9s %7s %9s %7s %9s%n";
            out.println("  " + time(any.startMillis()) + " to " + time(any.endMillis()));
            out.printf(line, "sensor", "count", "min", "mean", "max", "humidity");
            for (WindowRow row : rows.values().stream().limit(SENSORS).toList()) {
                out.printf(
                        line,
                        row.sensor(),
                        String.format(Locale.ROOT, "%,d", row.count()),
                        decimals(1, row.min()),
                        decimals(3, row.mean()),
                        decimals(1, row.max()),
                        row.humidity() == null ? "-" : decimals(3, row.humidity()));
            }
            more(out, "    ", rows.size() - SENSORS, "sensor");
        }

        private static void more(PrintStream out, String indent, int number, String what) {
            if (number > 0) {
                out.printf(
                        Locale.ROOT,
                        "%s... and %,d more %s%s%n",
                        indent,
                        number,
                        what,
                        number == 1 ? "" : "s");
            }
        }

        private static String decimals(int digits, double number) {
            return String.format(Locale.ROOT, "%." + digits + "f", number);
        }

        private static String time(long millis) {
            return TIME.format(
                    LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC));
        }
    }
}
