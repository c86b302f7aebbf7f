package io.flinkgpu.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.DoubleFunction;

/** The six plots of docs/performance.md: each line is of the report with the most points of it, at least two. */
final class PerformancePlots {

    private static final long MIB_4 = 4L << 20;
    private static final long MIB_16 = 16L << 20;

    /**
     * A plot.
     *
     * @param name of its file, without the ending
     * @param title above it, with the unit of the y axis
     * @param x the coordinate of figures along the x axis
     * @param xLabel below it
     * @param xText how places there are written
     * @param logarithmic both axes
     * @param lines what is drawn, by label
     */
    record Plot(
            String name,
            String title,
            String x,
            String xLabel,
            DoubleFunction<String> xText,
            boolean logarithmic,
            Map<String, Pick> lines) {}

    private PerformancePlots() {}

    static List<Plot> all() {
        DoubleFunction<String> number = SvgPlot::number;
        return List.of(
                plot("rows", "An expression, by rows of a batch: M rows/s", "rows", "rows", number)
                        .line("GPU, kernel alone", "transform", Engines.KERNELS, "M rows/s")
                        .line("GPU, host to host", "transform", Engines.GPU, "M rows/s")
                        .line("CPU, one core", "transform", Engines.CPU, "M rows/s")
                        .line("libcudf on the device", "names", "libcudf", "M rows/s")
                        .done(),
                plot(
                                "keys",
                                "Groups of 100 million lines, by keys: seconds",
                                "keys",
                                "distinct keys",
                                number)
                        .line("one GPU", "lines-by-keys", Engines.OURS_CUDA, "s/100 M lines")
                        .line("CPU, all cores", "lines-by-keys", Engines.OURS_CPU, "s/100 M lines")
                        .line("DuckDB, all cores", "lines-by-keys", Engines.DUCKDB, "s/100 M lines")
                        .done(),
                plot("rules", "Redaction, by number of rules: GB/s", "rules", "rules", number)
                        .line("GPU, kernels, a batch at a time", "rules", Engines.KERNELS, "GB/s")
                        .line("GPU, host to host", "rules", Engines.GPU, "GB/s")
                        .line("CPU, one core", "rules", Engines.CPU, "GB/s")
                        .done(),
                plot(
                                "batch",
                                "Redaction, by bytes of a batch: GB/s",
                                "batchBytes",
                                "bytes of a batch",
                                PlotStyle::bytes)
                        .line("GPU, kernels, a batch at a time", "batch", Engines.KERNELS, "GB/s")
                        .line("GPU, host to host", "batch", Engines.GPU, "GB/s")
                        .line("GPU, 4 threads", "batch", Engines.GPU_THREADS, "GB/s")
                        .line("CPU, all cores", "batch", Engines.ALL_CORES, "GB/s")
                        .line("CPU, one core", "batch", Engines.CPU, "GB/s")
                        .done(),
                devices(),
                plot(
                                "latency",
                                "Redaction of records, by load: latency in ms",
                                "recordsPerSecond",
                                "records a second, one task",
                                PerformancePlots::rounded)
                        .line("GPU, p99", "latency", "flink-gpu-p99", "ms")
                        .line("GPU, p50", "latency", "flink-gpu-p50", "ms")
                        .line("CPU, p99", "latency", "flink-cpu-p99", "ms")
                        .line("CPU, p50", "latency", "flink-cpu-p50", "ms")
                        .done());
    }

    /** Two digits of a rate. */
    private static String rounded(double value) {
        double unit = Math.pow(10, Math.floor(Math.log10(value)) - 1);
        return SvgPlot.number(Math.round(value / unit) * unit);
    }

    private static Plot devices() {
        Builder plot =
                plot(
                        "devices",
                        "Host to host, by GPUs: GB/s",
                        "devices",
                        "GPUs of one host",
                        SvgPlot::number);
        plot.logarithmic = false;
        Pick rates = Pick.of("devices", Engines.GPU_THREADS, "GB/s");
        for (long bytes : new long[] {MIB_4, MIB_16}) {
            String size = PlotStyle.bytes(bytes);
            Pick sized = rates.at("batchBytes", bytes).at("threads", 16);
            plot.lines.put("lines, 413 keys, " + size, sized.at("keys", 413));
            plot.lines.put("redaction, 21 rules, " + size, sized.at("rules", 21));
            plot.lines.put("redaction, 67 rules, " + size, sized.at("rules", 67));
        }
        return plot.done();
    }

    /**
     * Draws a plot.
     *
     * @param reports those that count most first
     * @param used is given each figure that is in it
     * @return an empty text if no report has a line of it
     */
    static String draw(Plot plot, List<Report> reports, Consumer<Pick.Found> used) {
        Set<String> commits = new LinkedHashSet<>();
        Map<String, List<SvgPlot.Point>> lines = new LinkedHashMap<>();
        plot.lines()
                .forEach(
                        (label, pick) -> {
                            List<SvgPlot.Point> points = new ArrayList<>();
                            for (Pick.Found found : pick.lineIn(reports)) {
                                Figure figure = found.figure();
                                used.accept(found);
                                commits.add(found.report().commit());
                                points.add(
                                        new SvgPlot.Point(
                                                figure.at().get(plot.x()),
                                                figure.median(),
                                                figure.least(),
                                                figure.most()));
                            }
                            points.sort((a, b) -> Double.compare(a.x(), b.x()));
                            lines.put(label, points);
                        });
        SvgPlot svg =
                new SvgPlot(
                        plot.title(),
                        "commit " + String.join(", ", commits),
                        plot.xLabel(),
                        plot.xText(),
                        plot.logarithmic());
        lines.forEach(svg::add);
        return svg.isEmpty() ? "" : svg.draw();
    }

    private static Builder plot(
            String name, String title, String x, String xLabel, DoubleFunction<String> xText) {
        return new Builder(name, title, x, xLabel, xText);
    }

    private static final class Builder {

        private final String name;
        private final String title;
        private final String x;
        private final String xLabel;
        private final DoubleFunction<String> xText;
        private final Map<String, Pick> lines = new LinkedHashMap<>();
        private boolean logarithmic = true;

        Builder(String name, String title, String x, String xLabel, DoubleFunction<String> xText) {
            this.name = name;
            this.title = title;
            this.x = x;
            this.xLabel = xLabel;
            this.xText = xText;
        }

        Builder line(String label, String axis, String engine, String unit) {
            Pick pick = Pick.of(axis, engine, unit);
            lines.put(label, axis.equals("lines-by-keys") ? pick.at("warm", 1) : pick);
            return this;
        }

        Plot done() {
            return new Plot(name, title, x, xLabel, xText, logarithmic, lines);
        }
    }
}
