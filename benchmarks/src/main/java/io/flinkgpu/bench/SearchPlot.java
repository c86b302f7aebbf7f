package io.flinkgpu.bench;

import org.jfree.chart.ChartUtils;
import org.jfree.chart.plot.XYPlot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws what a query costs by the number of documents. */
final class SearchPlot {

    private static final int WIDTH = 1100;
    private static final int HEIGHT = 640;
    private static final int MICROS_PER_MILLI = 1_000;
    private static final int KIBI = 1 << 10;

    /** What is drawn, by engine and skew in percent: the name that gives it its colour, and its label. */
    private static final Map<String, String[]> DRAWN = drawn();

    private SearchPlot() {}

    private static Map<String, String[]> drawn() {
        Map<String, String[]> drawn = new LinkedHashMap<>();
        drawn.put(Engines.CPU + " 100", new String[] {Engines.ALL_CORES, "CPU backend, Zipf 1"});
        drawn.put(Engines.CPU + " 0", new String[] {Engines.CPU, "CPU backend, uniform"});
        drawn.put(Engines.GPU + " 100", new String[] {Engines.GPU, "GPU, Zipf 1"});
        drawn.put(Engines.GPU + " 0", new String[] {Engines.KERNELS, "GPU, uniform"});
        return drawn;
    }

    /** Powers of two are round: {@code 2 Mi}. */
    private static String documents(double number) {
        if (number < KIBI) {
            return PlotStyle.number(number);
        }
        return number < KIBI * KIBI
                ? PlotStyle.number(number / KIBI) + " Ki"
                : PlotStyle.number(number / KIBI / KIBI) + " Mi";
    }

    /** Writes {@code search.png} into a folder; nothing if there are no such figures. */
    static void write(Report report, Path folder) throws IOException {
        List<Figure> figures = new ArrayList<>();
        for (Figure figure : report.figures()) {
            String[] as = DRAWN.get(figure.engine() + " " + figure.at().get("skewPercent"));
            if (figure.axis().equals("search-documents")
                    && figure.unit().equals("ms/query")
                    && as != null) {
                figures.add(
                        new Figure(
                                figure.axis(),
                                as[0],
                                figure.at(),
                                "us/query",
                                figure.median() * MICROS_PER_MILLI,
                                figure.least() * MICROS_PER_MILLI,
                                figure.most() * MICROS_PER_MILLI,
                                figure.runs()));
            }
        }
        Lines lines = new Lines(report.with(figures), figure -> true, "documents");
        DRAWN.values().forEach(as -> lines.add(as[0], as[1]));
        if (!lines.isCurve()) {
            return;
        }
        Files.createDirectories(folder);
        PlotStyle style = new PlotStyle(PlotFont.load());
        XYPlot plot =
                style.plot(
                        lines,
                        style.logAxis("documents", 2, 1, SearchPlot::documents),
                        style.logAxis("us per query", 2, 1, PlotStyle::number));
        Hardware hardware = report.hardware();
        String subtitle =
                (hardware.gpu().isEmpty() ? "" : hardware.gpu() + " | ")
                        + hardware.cpu()
                        + ", one core | commit "
                        + report.commit()
                        + ", "
                        + report.started().substring(0, 10);
        ChartUtils.saveChartAsPNG(
                folder.resolve("search.png").toFile(),
                style.chart(
                        "What a query costs by the number of documents: the 100 best",
                        subtitle,
                        plot),
                WIDTH,
                HEIGHT);
    }
}
