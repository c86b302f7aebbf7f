package io.flinkgpu.applications;

import io.flinkgpu.applications.FindingCounts.Snapshot;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as one HTML page, with pictures in it and nothing from elsewhere. */
final class FindingPage {

    private static final int WIDTH = 860;
    private static final int LEFT = 190;
    private static final int RIGHT = 110;
    private static final int ROW = 22;
    private static final int TIME_HEIGHT = 180;

    /** Across the bars of times, above the lowest. */
    private static final int LINES = 4;

    private static final int MAX_RULES = 40;
    private static final int MAX_TIMES = 120;
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width">
            <title>Findings of a redaction</title>
            <style>
            body { font: 15px/1.45 system-ui, sans-serif; color: #1c2430; max-width: 900px; margin: 2em auto; padding: 0 1em; }
            h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin-top: 2em; }
            table { border-collapse: collapse; width: 100%; } td, th { padding: 3px 8px; border-bottom: 1px solid #dde2e8; text-align: left; }
            td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
            code { font-size: 0.9em; } svg { width: 100%; height: auto; }
            </style>
            </head>
            <body>
            """;

    private final FindingReport report;
    private final Snapshot counts;

    FindingPage(FindingReport report) {
        this.report = report;
        counts = report.counts();
    }

    String html() {
        StringBuilder out = new StringBuilder(HEAD);
        out.append("<h1>Findings of a redaction</h1>\n<p>")
                .append(number(counts.total()))
                .append(" places replaced in ")
                .append(number(report.rows()))
                .append(" lines, ")
                .append(number(report.bytes()))
                .append(
                        " bytes. Values are not in this report: a hash is the same for the same value under the same key.</p>\n");
        out.append("<h2>Over time</h2>\n").append(times());
        out.append("<h2>By rule</h2>\n").append(rules());
        table(out, "By file", "file", counts.sources());
        out.append("<h2>Some of them</h2>\n<table><tr><th>rule<th>file<th class=n>line at byte")
                .append("<th class=n>offset<th class=n>bytes<th>hash</tr>\n");
        for (FindingCounts.Sample sample : counts.samples) {
            out.append("<tr><td>")
                    .append(escaped(sample.rule()))
                    .append("<td>")
                    .append(escaped(report.sourceName().apply(sample.source())))
                    .append("<td class=n>")
                    .append(number(sample.line()))
                    .append("<td class=n>")
                    .append(number(sample.offset()))
                    .append("<td class=n>")
                    .append(number(sample.length()))
                    .append("<td><code>")
                    .append(escaped(sample.hash()))
                    .append("</code></tr>\n");
        }
        return out.append("</table>\n</body>\n</html>\n").toString();
    }

    private void table(StringBuilder out, String title, String head, Map<String, Long> rows) {
        out.append("<h2>").append(title).append("</h2>\n<table><tr><th>").append(head);
        out.append("<th class=n>findings</tr>\n");
        rows.forEach(
                (name, count) ->
                        out.append("<tr><td>")
                                .append(escaped(report.sourceName().apply(name)))
                                .append("<td class=n>")
                                .append(number(count))
                                .append("</tr>\n"));
        out.append("</table>\n");
    }

    /** Findings in equal spans of the job's time, as bars. */
    String times() {
        if (counts.times.isEmpty()) {
            return "<p>None.</p>\n";
        }
        long first = counts.times.firstKey();
        long last = counts.times.lastKey() + counts.secondsPerTime;
        long span = Math.max(counts.secondsPerTime, (last - first + MAX_TIMES - 1) / MAX_TIMES);
        int bars = (int) ((last - first + span - 1) / span);
        long[] heights = new long[bars];
        counts.times.forEach((time, count) -> heights[(int) ((time - first) / span)] += count);
        long most = 1;
        for (long height : heights) {
            most = Math.max(most, height);
        }
        // So that each line across is a whole number.
        most = (most + LINES - 1) / LINES * LINES;
        int left = 80;
        double step = (double) (WIDTH - left - 20) / bars;
        StringBuilder svg = svg(TIME_HEIGHT + 50);
        for (int i = 0; i <= LINES; i++) {
            double y = 10 + TIME_HEIGHT * (1 - i / (double) LINES);
            line(svg, left, y, WIDTH - 20);
            text(svg, left - 8, y + 4, "end", number(most / LINES * i));
        }
        for (int i = 0; i < bars; i++) {
            double height = (double) TIME_HEIGHT * heights[i] / most;
            bar(
                    svg,
                    left + i * step + step * 0.08,
                    10 + TIME_HEIGHT - height,
                    Math.min(step * 0.84, 60),
                    height,
                    clock(first + i * span) + ": " + number(heights[i]));
        }
        text(svg, left, TIME_HEIGHT + 30, "start", clock(first));
        text(svg, WIDTH - 20, TIME_HEIGHT + 30, "end", clock(last));
        text(
                svg,
                (left + WIDTH) / 2.0,
                TIME_HEIGHT + 46,
                "middle",
                "findings each " + (span == 1 ? "second" : span + " s") + ", by the clock in UTC");
        return svg.append("</svg>\n").toString();
    }

    /** The rules with most findings, as bars. */
    String rules() {
        List<String> rules = counts.byCount();
        int shown = Math.min(MAX_RULES, rules.size());
        if (shown == 0) {
            return "<p>None.</p>\n";
        }
        long most = counts.count(rules.get(0));
        StringBuilder svg = svg(shown * ROW + 10);
        for (int i = 0; i < shown; i++) {
            String rule = rules.get(i);
            long count = counts.count(rule);
            double y = 5 + i * ROW;
            double width = Math.max(1, (double) (WIDTH - LEFT - RIGHT) * count / most);
            text(svg, LEFT - 8, y + 15, "end", shortened(rule));
            bar(svg, LEFT, y + 3, width, ROW - 6, rule + ": " + number(count));
            text(svg, LEFT + width + 6, y + 15, "start", number(count));
        }
        svg.append("</svg>\n");
        if (shown < rules.size()) {
            svg.append("<p>And ").append(rules.size() - shown).append(" more rules.</p>\n");
        }
        return svg.toString();
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= 24
                ? text
                : text.substring(0, text.offsetByCodePoints(0, 23)) + "…";
    }

    private static StringBuilder svg(int height) {
        return new StringBuilder(
                String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                                + " font-family=\"system-ui, sans-serif\" font-size=\"13\">%n",
                        WIDTH,
                        height));
    }

    private static void line(StringBuilder svg, double x, double y, double toX) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dde2e8\"/>%n",
                        x,
                        y,
                        toX,
                        y));
    }

    private static void bar(
            StringBuilder svg, double x, double y, double width, double height, String title) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\""
                                + " fill=\"#2f6db3\"><title>%s</title></rect>%n",
                        x,
                        y,
                        width,
                        height,
                        escaped(title)));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#1c2430\">%s</text>%n",
                        x,
                        y,
                        anchor,
                        escaped(text)));
    }

    private static String clock(long epochSecond) {
        return CLOCK.format(Instant.ofEpochSecond(epochSecond));
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String escaped(String text) {
        return Printable.of(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
