package io.flinkgpu.applications.kafka;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws what a {@link SoakWatch} noted: rates, latency and memory, with a line for each fault. */
final class SoakPlot {

    private static final int LEFT = 64;
    private static final int WIDTH = 860;
    private static final int HEIGHT = 150;
    private static final int STEP = 200;

    /** The lowest latency that is drawn. */
    private static final double MIN_MILLIS = 100;

    private final List<SoakWatch.Sample> samples;
    private final List<SoakWatch.Mark> marks;
    private final StringBuilder out = new StringBuilder();
    private final double seconds;

    private record Series(String name, String color, ToDoubleFunction<SoakWatch.Sample> value) {}

    SoakPlot(List<SoakWatch.Sample> samples, List<SoakWatch.Mark> marks) {
        this.samples = samples;
        this.marks = marks;
        seconds = samples.get(samples.size() - 1).second() + 1;
    }

    String svg() {
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"11\">",
                LEFT + WIDTH + 20, 3 * STEP + 30);
        line("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
        panel(
                0,
                "messages a second",
                false,
                List.of(
                        new Series("committed", "#e0752d", SoakWatch.Sample::committed),
                        new Series("sent", "#3274d9", SoakWatch.Sample::sent)));
        panel(
                1,
                "ms from when a message was due to when it was read",
                true,
                List.of(
                        new Series("longest", "#c4162a", SoakWatch.Sample::maxMillis),
                        new Series("median", "#3274d9", SoakWatch.Sample::medianMillis)));
        panel(
                2,
                "resident MiB",
                false,
                List.of(
                        new Series("TaskManagers", "#3274d9", s -> mib(s.taskManagersBytes())),
                        new Series("JobManager", "#56a64b", s -> mib(s.jobManagerBytes())),
                        new Series("broker", "#8f8f8f", s -> mib(s.brokerBytes()))));
        int minutes = Math.max(1, (int) (seconds / 60 / 10));
        for (int minute = 0; minute * 60 <= seconds; minute += minutes) {
            text(x(minute * 60), 3 * STEP + 14, "middle", "#333", Integer.toString(minute));
        }
        text(LEFT, 3 * STEP + 27, "start", "#888", "minutes; a grey line is a fault");
        return out + "</svg>\n";
    }

    private void panel(int index, String title, boolean log, List<Series> all) {
        int top = index * STEP + 24;
        double max = log ? 10 * MIN_MILLIS : 1;
        for (Series series : all) {
            max = Math.max(max, samples.stream().mapToDouble(series.value).max().orElse(1));
        }
        double high = log ? Math.pow(10, Math.ceil(Math.log10(max))) : rounded(max);
        int parts = log ? (int) Math.round(Math.log10(high / MIN_MILLIS)) : 4;
        text(LEFT, top - 8, "start", "#000", title);
        int at = LEFT + WIDTH;
        for (Series series : all) {
            text(at, top - 8, "end", series.color, series.name);
            at -= 20 + 7 * series.name.length();
        }
        for (int part = 0; part <= parts; part++) {
            double value = log ? MIN_MILLIS * Math.pow(10, part) : high * part / parts;
            double y = top + HEIGHT * (1 - (double) part / parts);
            line(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e4e4e4\"/>",
                    LEFT, LEFT + WIDTH, y, y);
            text(LEFT - 6, y + 4, "end", "#333", String.format(Locale.ROOT, "%,.0f", value));
        }
        for (SoakWatch.Mark mark : marks) {
            double x = x(mark.second());
            line(
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#bbb\"><title>%s</title></line>",
                    x, x, top, top + HEIGHT, mark.fault().name());
        }
        for (Series series : all) {
            StringBuilder points = new StringBuilder();
            for (SoakWatch.Sample sample : samples) {
                double value = series.value.applyAsDouble(sample);
                // Where nothing came there is no latency.
                if (!log || value > 0) {
                    double part =
                            log
                                    ? Math.log(Math.max(1, value / MIN_MILLIS))
                                            / Math.log(high / MIN_MILLIS)
                                    : value / high;
                    points.append(
                            String.format(
                                    Locale.ROOT,
                                    "%.1f,%.1f ",
                                    x(sample.second()),
                                    top + HEIGHT * (1 - part)));
                }
            }
            line(
                    "<polyline fill=\"none\" stroke=\"%s\" points=\"%s\"/>",
                    series.color, points.toString().strip());
        }
    }

    private double x(double second) {
        return LEFT + WIDTH * second / seconds;
    }

    private static double mib(long bytes) {
        return bytes / 1048576.0;
    }

    /** The next number that has four parts of few digits. */
    private static double rounded(double max) {
        double step = Math.pow(10, Math.floor(Math.log10(max)));
        double fourth = max / 4 <= step / 2 ? step / 10 : step / 2;
        return 4 * fourth * Math.ceil(max / 4 / fourth);
    }

    private void text(double x, double y, String anchor, String color, String text) {
        line(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                x, y, anchor, color, text);
    }

    private void line(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
