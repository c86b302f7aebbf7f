package io.flinkgpu.bench;

import org.jfree.chart.ChartUtils;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws what a batch of lookups costs by its ids, by their skew and by the vectors of the table, until they are on the device. */
final class LookupPlot {

    private static final int WIDTH = 1100;
    private static final int HEIGHT = 640;

    /** What is drawn, by engine and percent in device memory: the name that gives it its colour, and its label. */
    private static final Map<String, String[]> DRAWN = drawn();

    private LookupPlot() {}

    private static Map<String, String[]> drawn() {
        Map<String, String[]> drawn = new LinkedHashMap<>();
        drawn.put(Engines.GPU + " 100", new String[] {Engines.GPU, "GPU, all in its memory"});
        drawn.put(Engines.GPU + " 5", new String[] {Engines.KERNELS, "GPU, 5 % in its memory"});
        drawn.put(Engines.GPU + " 0", new String[] {Engines.GPU_THREADS, "GPU, none"});
        drawn.put(Engines.CPU + " null", new String[] {Engines.CPU, "CPU backend, one core"});
        drawn.put(
                LookupSpeed.gather(1) + " null",
                new String[] {Engines.FLINK_SQL, "gather by one thread, and a copy"});
        drawn.put(
                LookupSpeed.gather(16) + " null",
                new String[] {Engines.DUCKDB, "gather by 16 threads, and a copy"});
        return drawn;
    }

    /**
     * Writes {@code lookup-ids.png}, {@code lookup-skew.png} and {@code lookup-rows.png} into a folder, as far as there
     * are figures.
     */
    static void write(Report report, Path folder) throws IOException {
        Files.createDirectories(folder);
        PlotStyle style = new PlotStyle(PlotFont.load());
        ValueAxis ids = style.logAxis("ids of a batch", 10, 1, PlotStyle::number);
        write(report, folder, "ids", "ids", ids, "What a batch costs by its ids");
        ValueAxis skews = style.closeAxis("100 times the exponent of a power law");
        write(report, folder, "skew", "skewPercent", skews, "What a batch costs by its skew");
        ValueAxis rows = style.logAxis("vectors of the table", 10, 1, PlotStyle::number);
        write(
                report,
                folder,
                "rows",
                "rows",
                rows,
                "What a batch costs by the vectors of its table");
    }

    private static void write(
            Report report,
            Path folder,
            String axis,
            String coordinate,
            ValueAxis across,
            String title)
            throws IOException {
        List<Figure> figures = new ArrayList<>();
        for (Figure figure : report.figures()) {
            String[] as = DRAWN.get(figure.engine() + " " + figure.at().get("devicePercent"));
            String unit = figure.engine().equals(Engines.GPU) ? "us device" : "us";
            if (figure.axis().equals("lookup-" + axis)
                    && figure.unit().equals(unit)
                    && !figure.at().containsKey("vectorBytes")
                    && as != null) {
                figures.add(
                        new Figure(
                                figure.axis(),
                                as[0],
                                figure.at(),
                                "us",
                                figure.median(),
                                figure.least(),
                                figure.most(),
                                figure.runs()));
            }
        }
        Lines lines = new Lines(report.with(figures), figure -> true, coordinate);
        DRAWN.values().forEach(as -> lines.add(as[0], as[1]));
        if (!lines.isCurve()) {
            return;
        }
        PlotStyle style = new PlotStyle(PlotFont.load());
        XYPlot plot =
                style.plot(
                        lines,
                        across,
                        style.logAxis("us until vectors are there", 2, 1, PlotStyle::number));
        Hardware hardware = report.hardware();
        String subtitle =
                (hardware.gpu().isEmpty() ? "" : hardware.gpu() + " | ")
                        + hardware.cpu()
                        + " | commit "
                        + report.commit()
                        + ", "
                        + report.started().substring(0, 10);
        ChartUtils.saveChartAsPNG(
                folder.resolve("lookup-" + axis + ".png").toFile(),
                style.chart(title, subtitle, plot),
                WIDTH,
                HEIGHT);
    }
}
