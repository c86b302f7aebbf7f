package io.flinkgpu.bench;

import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Marker;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;

/** How plots look. */
final class PlotStyle {

    private static final Color INK = new Color(0x33, 0x33, 0x33);
    private static final Color GRID = new Color(0xdd, 0xdd, 0xdd);
    private static final Color LINK = new Color(0xcc, 0x33, 0x33);
    private static final float[] DASHES = {6f, 5f};

    /** Okabe and Ito's colours, which the colour-blind can tell apart. */
    private static final Map<String, Color> COLOURS =
            Map.ofEntries(
                    Map.entry(Engines.CPU, new Color(0xe6, 0x9f, 0x00)),
                    Map.entry(Engines.ALL_CORES, new Color(0xd5, 0x5e, 0x00)),
                    Map.entry(Engines.KERNELS, new Color(0x56, 0xb4, 0xe9)),
                    Map.entry(Engines.GPU, new Color(0x00, 0x72, 0xb2)),
                    Map.entry(Engines.GPU_THREADS, new Color(0x00, 0x9e, 0x73)),
                    Map.entry(Engines.FLINK_CPU, new Color(0xd5, 0x5e, 0x00)),
                    Map.entry(Engines.FLINK_GPU, new Color(0x00, 0x72, 0xb2)),
                    Map.entry(Engines.OURS, new Color(0xd5, 0x5e, 0x00)),
                    Map.entry(Engines.OURS_GPU, new Color(0x00, 0x72, 0xb2)),
                    Map.entry(Engines.OURS_CPU, new Color(0xe6, 0x9f, 0x00)),
                    Map.entry(Engines.OURS_CUDA, new Color(0x56, 0xb4, 0xe9)),
                    Map.entry(Engines.FLINK, new Color(0x00, 0x9e, 0x73)),
                    Map.entry(Engines.FLINK_SQL, new Color(0xcc, 0x79, 0xa7)),
                    Map.entry(Engines.DUCKDB, Color.BLACK));

    private final Font font;

    PlotStyle(Font font) {
        this.font = font;
    }

    private Font size(float points) {
        return font.deriveFont(points);
    }

    /** A chart with its title, what it was measured on, and a legend below. */
    JFreeChart chart(String title, String subtitle, XYPlot plot) {
        JFreeChart chart = new JFreeChart(null, size(14), plot, true);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(10, 12, 8, 18));
        TextTitle head = new TextTitle(title, size(21));
        head.setPaint(INK);
        head.setHorizontalAlignment(HorizontalAlignment.LEFT);
        head.setPosition(RectangleEdge.TOP);
        chart.setTitle(head);
        TextTitle below = new TextTitle(subtitle, size(13));
        below.setPaint(Color.GRAY);
        below.setHorizontalAlignment(HorizontalAlignment.LEFT);
        below.setPadding(0, 2, 8, 2);
        chart.addSubtitle(below);
        LegendTitle legend = chart.getLegend();
        legend.setItemFont(size(14));
        legend.setItemPaint(INK);
        legend.setFrame(BlockBorder.NONE);
        legend.setPadding(6, 0, 0, 0);
        return chart;
    }

    /** A plot of lines with whiskers from the least to the most. */
    XYPlot plot(Lines lines, ValueAxis x, ValueAxis y) {
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setDrawXError(false);
        renderer.setDefaultLinesVisible(true);
        renderer.setDefaultShapesVisible(true);
        Shape dot = new Ellipse2D.Double(-3.5, -3.5, 7, 7);
        for (int i = 0; i < lines.data().getSeriesCount(); i++) {
            String engine = lines.engine(i);
            Color colour = COLOURS.getOrDefault(base(engine), INK);
            renderer.setSeriesPaint(i, colour);
            renderer.setSeriesShape(i, dot);
            renderer.setSeriesStroke(
                    i,
                    engine.endsWith("-p50")
                            ? new BasicStroke(2f, 0, 0, 10f, DASHES, 0f)
                            : new BasicStroke(2.4f));
        }
        XYPlot plot = new XYPlot(lines.data(), x, y, renderer);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(GRID);
        plot.setRangeGridlinePaint(GRID);
        plot.setDomainGridlineStroke(new BasicStroke(1f));
        plot.setRangeGridlineStroke(new BasicStroke(1f));
        plot.setOutlinePaint(GRID);
        return plot;
    }

    private static String base(String engine) {
        return engine.replaceAll("-p\\d+$", "");
    }

    /** A logarithmic axis whose labels are a power of {@code base} apart. */
    ValueAxis logAxis(String label, int base, int every, DoubleFunction<String> format) {
        LogAxis axis = new LogAxis(label);
        axis.setBase(base);
        axis.setTickUnit(new NumberTickUnit(every));
        axis.setNumberFormatOverride(new Labels(format));
        axis.setMinorTickMarksVisible(false);
        axis.setLowerMargin(0.03);
        axis.setUpperMargin(0.08);
        return dressed(axis);
    }

    /** A linear axis from 0. */
    ValueAxis axis(String label) {
        NumberAxis axis = new NumberAxis(label);
        axis.setAutoRangeIncludesZero(true);
        return dressed(axis);
    }

    /** A linear axis of what there are figures for. */
    ValueAxis closeAxis(String label) {
        NumberAxis axis = new NumberAxis(label);
        axis.setAutoRangeIncludesZero(false);
        return dressed(axis);
    }

    private ValueAxis dressed(ValueAxis axis) {
        axis.setLabelFont(size(15));
        axis.setTickLabelFont(size(13));
        axis.setLabelPaint(INK);
        axis.setTickLabelPaint(INK);
        axis.setAxisLinePaint(INK);
        return axis;
    }

    /** A level that nothing goes above; its label stands at the left, above the line. */
    Marker level(double value, String label) {
        ValueMarker marker =
                new ValueMarker(value, LINK, new BasicStroke(1.6f, 0, 0, 10f, DASHES, 0f));
        marker.setLabel(label);
        marker.setLabelFont(size(13));
        marker.setLabelPaint(LINK);
        marker.setLabelAnchor(RectangleAnchor.TOP_LEFT);
        marker.setLabelTextAnchor(TextAnchor.BOTTOM_LEFT);
        marker.setLabelBackgroundColor(new Color(0, 0, 0, 0));
        return marker;
    }

    /** Where lines cross; the label stands at the top or the bottom, left or right of the line. */
    Marker crossing(double value, String label, boolean top, boolean left) {
        ValueMarker marker =
                new ValueMarker(value, INK, new BasicStroke(1.4f, 0, 0, 10f, DASHES, 0f));
        marker.setLabel(label);
        marker.setLabelFont(size(13));
        marker.setLabelPaint(INK);
        marker.setLabelBackgroundColor(Color.WHITE);
        if (top) {
            marker.setLabelAnchor(left ? RectangleAnchor.TOP_LEFT : RectangleAnchor.TOP_RIGHT);
            marker.setLabelTextAnchor(left ? TextAnchor.TOP_RIGHT : TextAnchor.TOP_LEFT);
        } else {
            marker.setLabelAnchor(
                    left ? RectangleAnchor.BOTTOM_LEFT : RectangleAnchor.BOTTOM_RIGHT);
            marker.setLabelTextAnchor(left ? TextAnchor.BOTTOM_RIGHT : TextAnchor.BOTTOM_LEFT);
        }
        return marker;
    }

    /** {@code 64 KiB}. */
    static String bytes(double bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB"};
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return number(value) + " " + units[unit];
    }

    /** As few digits as say it. */
    static String number(double value) {
        return value >= 10 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.3g", value).replaceAll("\\.?0+$", "");
    }

    /** Labels of an axis. */
    private static final class Labels extends NumberFormat {

        private static final long serialVersionUID = 1L;

        private final transient DoubleFunction<String> format;

        Labels(DoubleFunction<String> format) {
            this.format = format;
        }

        @Override
        public StringBuffer format(double number, StringBuffer to, FieldPosition position) {
            return to.append(format.apply(number));
        }

        @Override
        public StringBuffer format(long number, StringBuffer to, FieldPosition position) {
            return to.append(format.apply(number));
        }

        @Override
        public Number parse(String source, ParsePosition position) {
            throw new UnsupportedOperationException("labels are only written");
        }
    }
}
