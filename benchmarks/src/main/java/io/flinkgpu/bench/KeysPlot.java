package io.flinkgpu.bench;

import org.jfree.chart.ChartUtils;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Draws what a row costs by the number of keys: lines, windows and the heap they need, in one picture. */
final class KeysPlot {

    private static final int WIDTH = 1100;
    private static final int PANEL_HEIGHT = 330;
    private static final int HEAD_HEIGHT = 160;

    private final Report report;
    private final PlotStyle style;
    private final CombinedDomainXYPlot all;
    private final Set<String> inLegend = new HashSet<>();
    private Lines first;

    private KeysPlot(Report report) throws IOException {
        this.report = report;
        style = new PlotStyle(PlotFont.load());
        all = new CombinedDomainXYPlot(style.logAxis("distinct keys", 10, 1, PlotStyle::number));
        all.setGap(16);
    }

    /** Writes {@code keys.png} into a folder; nothing if there are no such figures. */
    static void write(Report report, Path folder) throws IOException {
        Files.createDirectories(folder);
        KeysPlot plot = new KeysPlot(report);
        plot.panel(
                "seconds for 100 M lines",
                figure -> figure.unit().equals("s/100 M lines") && figure.at().get("warm") == 1);
        plot.panel("CPU us a row, windows", curve("us CPU/row"));
        plot.panel("live heap, MB", curve("MB live heap"));
        if (plot.first != null && plot.first.isCurve()) {
            ChartUtils.saveChartAsPNG(
                    folder.resolve("keys.png").toFile(),
                    plot.style.chart(
                            "What a row costs by the number of keys", plot.subtitle(), plot.all),
                    WIDTH,
                    HEAD_HEIGHT + PANEL_HEIGHT * plot.all.getSubplots().size());
        }
    }

    private static Predicate<Figure> curve(String unit) {
        return figure -> figure.axis().startsWith("curve ") && figure.unit().equals(unit);
    }

    private static Map<String, String> engines() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(Engines.OURS_CUDA, "ours, lines, GPU");
        labels.put(Engines.OURS_CPU, "ours, lines, CPU backend");
        labels.put(Engines.DUCKDB, "DuckDB");
        labels.put(Engines.OURS, "ours, windows, CPU backend");
        labels.put(Engines.OURS_GPU, "ours, windows, GPU");
        labels.put(Engines.FLINK, "Flink's window operator");
        labels.put(Engines.FLINK_SQL, "Flink SQL, two phases");
        return labels;
    }

    private void panel(String label, Predicate<Figure> which) {
        Lines lines = new Lines(report, which, "keys").addAll(engines());
        if (lines.isEmpty()) {
            return;
        }
        ValueAxis y = style.logAxis(label, 2, 1, PlotStyle::number);
        XYPlot plot = style.plot(lines, null, y);
        LegendItemCollection legend = new LegendItemCollection();
        for (int i = 0; i < plot.getLegendItems().getItemCount(); i++) {
            LegendItem item = plot.getLegendItems().get(i);
            if (inLegend.add(item.getLabel())) {
                legend.add(item);
            }
        }
        plot.setFixedLegendItems(legend);
        all.add(plot);
        first = first == null ? lines : first;
    }

    private String subtitle() {
        Hardware hardware = report.hardware();
        return hardware.cores()
                + " cores, "
                + hardware.cpu()
                + " | commit "
                + report.commit()
                + ", "
                + report.started().substring(0, 10);
    }
}
