package io.flinkgpu.applications;

import io.flinkgpu.applications.FindingCounts.Snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What was found in some files, as JSON and as a page for people: counts, places and keyed hashes, never what was found.
 *
 * @param counts of the job
 * @param rows lines that were searched
 * @param bytes of these
 * @param sourceName what is shown of a file's name
 */
record FindingReport(Snapshot counts, long rows, long bytes, UnaryOperator<String> sourceName) {

    /** The two files of a report: a name without suffix gets them. */
    static List<Path> files(Path report) {
        String name = report.getFileName().toString().replaceFirst("\\.(json|html)$", "");
        return List.of(
                report.resolveSibling(name + ".json"), report.resolveSibling(name + ".html"));
    }

    /** Writes both files, in place of those that are there. */
    void write(Path report) throws IOException {
        List<Path> files = files(report);
        Files.writeString(files.get(0), json());
        Files.writeString(files.get(1), new FindingPage(this).html());
    }

    String json() {
        StringBuilder out = new StringBuilder("{\n");
        out.append("  \"lines\": ").append(rows).append(",\n");
        out.append("  \"bytes\": ").append(bytes).append(",\n");
        out.append("  \"findings\": ").append(counts.total()).append(",\n");
        out.append("  \"rules\": [");
        String comma = "\n";
        for (String rule : counts.byCount()) {
            out.append(comma)
                    .append("    {\"rule\": ")
                    .append(quoted(rule))
                    .append(", \"count\": ")
                    .append(counts.count(rule))
                    .append(", \"sources\": ")
                    .append(object(counts.rules.get(rule)))
                    .append('}');
            comma = ",\n";
        }
        out.append("\n  ],\n  \"sources\": ").append(object(counts.sources()));
        out.append(",\n  \"secondsPerTime\": ").append(counts.secondsPerTime);
        out.append(",\n  \"times\": [");
        comma = "\n";
        for (Map.Entry<Long, Long> time : counts.times.entrySet()) {
            out.append(comma)
                    .append("    {\"epochSecond\": ")
                    .append(time.getKey())
                    .append(", \"count\": ")
                    .append(time.getValue())
                    .append('}');
            comma = ",\n";
        }
        out.append("\n  ],\n  \"samples\": [");
        comma = "\n";
        for (FindingCounts.Sample sample : counts.samples) {
            out.append(comma).append("    ").append(sample(sample));
            comma = ",\n";
        }
        return out.append("\n  ]\n}\n").toString();
    }

    private String sample(FindingCounts.Sample sample) {
        return String.format(
                Locale.ROOT,
                "{\"rule\": %s, \"source\": %s, \"lineOffset\": %d, \"offset\": %d, \"length\": %d,"
                        + " \"hash\": %s}",
                quoted(sample.rule()),
                quoted(sourceName.apply(sample.source())),
                sample.line(),
                sample.offset(),
                sample.length(),
                quoted(sample.hash()));
    }

    private String object(Map<String, Long> bySource) {
        StringBuilder out = new StringBuilder("{");
        String comma = "";
        for (Map.Entry<String, Long> entry : bySource.entrySet()) {
            out.append(comma)
                    .append(quoted(sourceName.apply(entry.getKey())))
                    .append(": ")
                    .append(entry.getValue());
            comma = ", ";
        }
        return out.append('}').toString();
    }

    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' '
                    || c == 0x7f
                    || c == '\u2028'
                    || c == '\u2029'
                    || Character.isSurrogate(c)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
