package io.flinkgpu.bench;

import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedRangeXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.Range;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Draws a report; a plot that has no figures is left out. */
final class Plots {

    private static final int WIDTH = 1100;
    private static final int HEIGHT = 620;
    private static final long LINES_BATCH_BYTES = 16L << 20;

    private final Report report;
    private final PlotStyle style;
    private final Path folder;

    private Plots(Report report, PlotStyle style, Path folder) {
        this.report = report;
        this.style = style;
        this.folder = folder;
    }

    /** Writes {@code *.png} into a folder, which is made if it is not there. */
    static void write(Report report, Path folder) throws IOException {
        Files.createDirectories(folder);
        Plots plots = new Plots(report, new PlotStyle(PlotFont.load()), folder);
        plots.batch();
        plots.rules();
        plots.keys();
        plots.latency();
        plots.crossings();
    }

    private Map<String, String> engines() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(Engines.KERNELS, "GPU, kernels alone");
        labels.put(Engines.GPU, "GPU, host to host");
        labels.put(Engines.GPU_THREADS, "GPU, host to host, 4 threads");
        labels.put(Engines.ALL_CORES, "CPU, " + report.hardware().cores() + " cores");
        labels.put(Engines.CPU, "CPU, one core");
        return labels;
    }

    private void batch() throws IOException {
        Lines lines = new Lines(report, figure -> figure.axis().equals("batch"), "batchBytes");
        XYPlot plot =
                style.plot(
                        lines.addAll(engines()),
                        style.logAxis("bytes of a batch", 2, 2, PlotStyle::bytes),
                        style.logAxis("GB/s of text", 10, 1, PlotStyle::number));
        link(plot);
        save(
                "throughput-by-batch",
                "Redaction, default rules: throughput by batch size",
                lines,
                plot);
    }

    private void link(XYPlot plot) {
        double link = report.hardware().toDeviceGbPerS();
        if (link > 0) {
            plot.addRangeMarker(
                    style.level(
                            link,
                            String.format(
                                    Locale.ROOT, " the link to the device: %.1f GB/s", link)));
        }
    }

    private void rules() throws IOException {
        Lines lines =
                new Lines(
                        report,
                        figure -> figure.axis().equals("rules"),
                        "rules",
                        figure -> figure.at().get("bytesPerRow"));
        XYPlot plot =
                style.plot(
                        lines.addAll(engines()),
                        style.logAxis(
                                "rules (the first of the defaults; more than 21: made up)",
                                2,
                                1,
                                PlotStyle::number),
                        style.logAxis("nanoseconds a line", 10, 1, PlotStyle::number));
        save(
                "cost-by-rules",
                "Redaction, 4 MiB batches: cost of a line by number of rules",
                lines,
                plot);
    }

    private void keys() throws IOException {
        long largeRows =
                report.figures().stream()
                        .filter(figure -> figure.axis().equals("aggregate"))
                        .mapToLong(figure -> figure.at().get("rows"))
                        .max()
                        .orElse(0);
        long batchBytes =
                report.figures().stream()
                        .filter(figure -> figure.axis().equals("lines"))
                        .mapToLong(figure -> figure.at().getOrDefault("batchBytes", 0L))
                        .filter(bytes -> bytes <= LINES_BATCH_BYTES)
                        .max()
                        .orElse(0);
        Lines rows =
                new Lines(
                        report,
                        figure ->
                                figure.axis().equals("aggregate")
                                        && figure.at().get("hotPercent") == 0
                                        && figure.at().get("rows") == largeRows,
                        "keys",
                        figure -> 1e3);
        Lines lines =
                new Lines(
                        report,
                        figure ->
                                figure.axis().equals("lines")
                                        && figure.at().getOrDefault("batchBytes", 0L) == batchBytes,
                        "keys",
                        figure -> (double) figure.at().get("batchBytes") / figure.at().get("rows"));
        ValueAxis y = style.logAxis("nanoseconds a row", 10, 1, PlotStyle::number);
        CombinedRangeXYPlot both = new CombinedRangeXYPlot(y);
        addPanel(
                both,
                rows.addAll(engines()),
                String.format(Locale.ROOT, "distinct keys, batches of %,d numeric rows", largeRows),
                10);
        addPanel(
                both,
                lines.addAll(engines()),
                "distinct keys, " + PlotStyle.bytes(batchBytes) + " batches of text lines",
                10);
        save("cost-by-keys", "Aggregation: cost of a row by distinct keys", rows, both);
    }

    private XYPlot addPanel(CombinedRangeXYPlot to, Lines lines, String label, int base) {
        DoubleFunction<String> format =
                label.startsWith("bytes") ? PlotStyle::bytes : PlotStyle::number;
        int every = base == 10 ? 1 : label.startsWith("bytes") ? 4 : 2;
        XYPlot panel = style.plot(lines, style.logAxis(label, base, every, format), null);
        if (!lines.isEmpty()) {
            if (to.getSubplots() != null && !to.getSubplots().isEmpty()) {
                panel.setFixedLegendItems(new org.jfree.chart.LegendItemCollection());
            }
            to.add(panel);
        }
        return panel;
    }

    private void latency() throws IOException {
        Lines lines =
                new Lines(report, figure -> figure.axis().equals("latency"), "recordsPerSecond");
        lines.add(Engines.FLINK_GPU + "-p99", "GPU, p99")
                .add(Engines.FLINK_GPU + "-p50", "GPU, p50");
        lines.add(Engines.FLINK_CPU + "-p99", "CPU, p99")
                .add(Engines.FLINK_CPU + "-p50", "CPU, p50");
        XYPlot plot =
                style.plot(
                        lines,
                        style.axis("records a second, one task"),
                        style.logAxis("latency of a record, ms", 2, 1, PlotStyle::number));
        plot.addRangeMarker(style.level(5, " the delay that batches may wait: 5 ms"));
        save(
                "latency-by-load",
                "Redaction of records in a Flink job: latency by load",
                lines,
                plot);
    }

    /** CPU and GPU over all that decides which is faster. */
    private void crossings() throws IOException {
        CombinedRangeXYPlot all =
                new CombinedRangeXYPlot(style.logAxis("GB/s of text", 10, 1, PlotStyle::number));
        Map<String, String> engines = engines();
        engines.remove(Engines.KERNELS);
        String[][] panels = {
            {"batch", "batchBytes", "bytes of a batch"},
            {"rules", "rules", "rules"},
            {"row", "bytesPerRow", "bytes of a row"}
        };
        Lines first = null;
        for (String[] panel : panels) {
            Lines lines = new Lines(report, figure -> figure.axis().equals(panel[0]), panel[1]);
            lines.addAll(engines);
            first = first == null || first.isEmpty() ? lines : first;
            XYPlot plot = addPanel(all, lines, panel[2], 2);
            String cores = report.hardware().cores() + " cores";
            mark(plot, lines, Engines.GPU_THREADS, Engines.ALL_CORES, "4 threads = " + cores, true);
            mark(plot, lines, Engines.GPU, Engines.CPU, "GPU = one core", false);
        }
        save(
                "cpu-or-gpu",
                "Redaction: where the CPU is faster than the GPU, and where not",
                first,
                all);
    }

    private void mark(
            XYPlot plot, Lines lines, String engine, String other, String label, boolean top) {
        OptionalDouble crossing = lines.crossing(engine, other);
        if (crossing.isEmpty()) {
            return;
        }
        ValueAxis axis = plot.getDomainAxis();
        double at = crossing.getAsDouble();
        String x = axis.getLabel().startsWith("bytes") ? PlotStyle.bytes(at) : PlotStyle.number(at);
        Range range = axis.getRange();
        boolean left =
                Math.log(at / range.getLowerBound())
                        > Math.log(range.getUpperBound() / range.getLowerBound()) / 2;
        plot.addDomainMarker(style.crossing(at, " " + label + " at " + x + " ", top, left));
    }

    private void save(String name, String title, Lines lines, XYPlot plot) throws IOException {
        if (lines.isEmpty()) {
            return;
        }
        JFreeChart chart = style.chart(title, subtitle(), plot);
        Path file = folder.resolve(name + ".png");
        ChartUtils.saveChartAsPNG(file.toFile(), chart, WIDTH, HEIGHT);
    }

    private String subtitle() {
        Hardware hardware = report.hardware();
        String gpu = hardware.gpu().isEmpty() ? "no GPU" : hardware.gpu();
        return gpu
                + " | "
                + hardware.cores()
                + " cores, "
                + hardware.cpu()
                + " | "
                + report.input()
                + (report.quick() ? ", quick: tiny sizes" : "")
                + " | commit "
                + report.commit()
                + ", "
                + report.started().substring(0, 10);
    }
}
