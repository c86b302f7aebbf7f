package io.flinkgpu.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.DoubleFunction;

/**
 * A plot of lines as SVG: the same bytes for the same numbers, and colors that follow the reader's light or dark scheme.
 * Not thread-safe.
 */
final class SvgPlot {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int BOTTOM = 52;
    private static final int LEGEND_TOP = 54;
    private static final int LEGEND_ROW = 20;
    private static final int LEGEND_COLUMNS = 3;
    private static final int FEW_TICKS = 9;
    private static final double TICK_GAP = 46;

    /** Colors of Okabe and Ito, which color-blind people tell apart, a light and a dark scheme's of each. */
    private static final String STYLE =
            """
            <style>
            text { font: 13px system-ui, sans-serif; fill: #1f2328 }
            .title { font-size: 16px; font-weight: 600 }
            .small { font-size: 12px; fill: #59636e }
            .back { fill: #ffffff } .grid { stroke: #d1d9e0; stroke-width: 1 }
            .line { fill: none; stroke-width: 2.2 } .range { stroke-width: 1.2 }
            .c0 { stroke: #0072b2; fill: #0072b2 } .c1 { stroke: #d55e00; fill: #d55e00 }
            .c2 { stroke: #009e73; fill: #009e73 } .c3 { stroke: #aa4499; fill: #aa4499 }
            .c4 { stroke: #8c6d00; fill: #8c6d00 } .c5 { stroke: #555555; fill: #555555 }
            @media (prefers-color-scheme: dark) {
            text { fill: #f0f6fc } .small { fill: #9198a1 }
            .back { fill: #0d1117 } .grid { stroke: #30363d }
            .c0 { stroke: #56b4e9; fill: #56b4e9 } .c1 { stroke: #ff9e57; fill: #ff9e57 }
            .c2 { stroke: #3ddc97; fill: #3ddc97 } .c3 { stroke: #dd88cc; fill: #dd88cc }
            .c4 { stroke: #f0e442; fill: #f0e442 } .c5 { stroke: #c0c0c0; fill: #c0c0c0 }
            }
            .line { fill: none }
            </style>
            """;

    /** A value and its spread. */
    record Point(double x, double y, double least, double most) {}

    private record Line(String label, List<Point> points) {}

    private final String title;
    private final String subtitle;
    private final String xLabel;
    private final DoubleFunction<String> xText;
    private final boolean logarithmic;
    private final List<Line> lines = new ArrayList<>();

    /**
     * @param xText how a place on the x axis is written
     * @param logarithmic both axes; else both begin with 0
     */
    SvgPlot(
            String title,
            String subtitle,
            String xLabel,
            DoubleFunction<String> xText,
            boolean logarithmic) {
        this.title = title;
        this.subtitle = subtitle;
        this.xLabel = xLabel;
        this.xText = xText;
        this.logarithmic = logarithmic;
    }

    /** Adds a line; one without points is left out. */
    void add(String label, List<Point> points) {
        if (!points.isEmpty()) {
            lines.add(new Line(label, points));
        }
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Draws at least one line. */
    String draw() {
        StringBuilder svg = new StringBuilder();
        line(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                        + " height=\"%d\" role=\"img\" aria-label=\"%s\">",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT,
                escaped(title));
        svg.append(STYLE);
        line(svg, "<rect class=\"back\" width=\"%d\" height=\"%d\"/>", WIDTH, HEIGHT);
        line(svg, "<text class=\"title\" x=\"16\" y=\"25\">%s</text>", escaped(title));
        line(svg, "<text class=\"small\" x=\"16\" y=\"43\">%s</text>", escaped(subtitle));
        legend(svg);
        Scale x = x();
        Scale y = y();
        grid(svg, x, y);
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, i, lines.get(i).points(), x, y);
        }
        return svg.append("</svg>\n").toString();
    }

    private int top() {
        return LEGEND_TOP + LEGEND_ROW * ((lines.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS) + 8;
    }

    private void legend(StringBuilder svg) {
        int column = (WIDTH - 32) / LEGEND_COLUMNS;
        for (int i = 0; i < lines.size(); i++) {
            int x = 16 + column * (i % LEGEND_COLUMNS);
            int y = LEGEND_TOP + LEGEND_ROW * (i / LEGEND_COLUMNS) + 10;
            line(
                    svg,
                    "<path class=\"line c%d\" d=\"M%d %dh20\"/><circle class=\"c%d\" cx=\"%d\""
                            + " cy=\"%d\" r=\"3.5\"/>",
                    i,
                    x,
                    y - 4,
                    i,
                    x + 10,
                    y - 4);
            line(
                    svg,
                    "<text x=\"%d\" y=\"%d\">%s</text>",
                    x + 26,
                    y,
                    escaped(lines.get(i).label()));
        }
    }

    private Scale x() {
        double[] xs =
                lines.stream()
                        .flatMap(line -> line.points().stream())
                        .mapToDouble(Point::x)
                        .toArray();
        return Scale.of(xs, LEFT + 14, WIDTH - RIGHT - 24, logarithmic);
    }

    private Scale y() {
        double[] ys =
                lines.stream()
                        .flatMap(line -> line.points().stream())
                        .flatMapToDouble(p -> java.util.stream.DoubleStream.of(p.least(), p.most()))
                        .toArray();
        return Scale.of(ys, HEIGHT - BOTTOM, top(), logarithmic);
    }

    private void grid(StringBuilder svg, Scale x, Scale y) {
        for (double tick : y.ticks()) {
            double at = y.at(tick);
            line(
                    svg,
                    "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"small\" x=\"%d\""
                            + " y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    LEFT,
                    at,
                    WIDTH - RIGHT,
                    LEFT - 8,
                    at + 4,
                    number(tick));
        }
        TreeSet<Double> places = new TreeSet<>();
        lines.forEach(line -> line.points().forEach(point -> places.add(point.x())));
        double last = Double.NEGATIVE_INFINITY;
        for (double place : places) {
            double at = x.at(place);
            if (places.size() > 2 && at - last < TICK_GAP) {
                continue;
            }
            last = at;
            line(
                    svg,
                    "<path class=\"grid\" d=\"M%.1f %dv6\"/><text class=\"small\" x=\"%.1f\""
                            + " y=\"%d\" text-anchor=\"middle\">%s</text>",
                    at,
                    HEIGHT - BOTTOM,
                    at,
                    HEIGHT - BOTTOM + 20,
                    escaped(xText.apply(place)));
        }
        line(
                svg,
                "<text class=\"small\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - 12,
                escaped(xLabel));
    }

    private static void draw(StringBuilder svg, int color, List<Point> points, Scale x, Scale y) {
        StringBuilder path = new StringBuilder();
        for (Point point : points) {
            path.append(path.isEmpty() ? "M" : "L")
                    .append(
                            String.format(
                                    Locale.ROOT, "%.1f %.1f", x.at(point.x()), y.at(point.y())));
        }
        line(svg, "<path class=\"line c%d\" d=\"%s\"/>", color, path);
        for (Point point : points) {
            double at = x.at(point.x());
            if (point.least() < point.most()) {
                line(
                        svg,
                        "<path class=\"range c%d\" d=\"M%.1f %.1fV%.1f\"/>",
                        color,
                        at,
                        y.at(point.least()),
                        y.at(point.most()));
            }
            line(
                    svg,
                    "<circle class=\"c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>",
                    color,
                    at,
                    y.at(point.y()));
        }
    }

    private static void line(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A number as an axis has it: 0.05, 2, 40, 5,000, 10 M. */
    static String number(double value) {
        if (value >= 1e6) {
            return trimmed(value / 1e6) + " M";
        }
        return value >= 1000 ? String.format(Locale.ROOT, "%,.0f", value) : trimmed(value);
    }

    private static String trimmed(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.replaceAll("\\.?0+$", "");
    }

    /** From values to pixels. */
    private record Scale(double least, double most, double from, double to, boolean logarithmic) {

        static Scale of(double[] values, double from, double to, boolean logarithmic) {
            double least = Double.MAX_VALUE;
            double most = 0;
            for (double value : values) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
            if (!logarithmic) {
                return new Scale(0, 1.05 * most, from, to, false);
            }
            double room = least == most ? 2 : 1;
            return new Scale(least / room, most * room, from, to, true);
        }

        double at(double value) {
            double part =
                    logarithmic
                            ? Math.log(value / least) / Math.log(most / least)
                            : (value - least) / (most - least);
            return from + part * (to - from);
        }

        List<Double> ticks() {
            List<Double> ticks = logarithmic ? steps(1, 2, 5) : linear();
            return ticks.size() > FEW_TICKS ? steps(1) : ticks;
        }

        private List<Double> steps(int... of) {
            List<Double> ticks = new ArrayList<>();
            for (int power = -6; power < 12; power++) {
                for (int step : of) {
                    double tick = step * Math.pow(10, power);
                    if (tick >= least * 0.999 && tick <= most * 1.001) {
                        ticks.add(tick);
                    }
                }
            }
            return ticks;
        }

        private List<Double> linear() {
            double step = Math.pow(10, Math.floor(Math.log10(most)));
            while (most / step < 4) {
                step /= 2;
            }
            List<Double> ticks = new ArrayList<>();
            for (int i = 0; i * step <= most; i++) {
                ticks.add(i * step);
            }
            return ticks;
        }
    }
}
