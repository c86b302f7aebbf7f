package io.flinkgpu.bench;

import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Figures of one axis as lines over a coordinate, one for each engine. */
final class Lines {

    private final List<Figure> figures;
    private final String coordinate;
    private final ToDoubleFunction<Figure> scale;
    private final List<String> engines = new ArrayList<>();
    private final YIntervalSeriesCollection data = new YIntervalSeriesCollection();

    /**
     * @param which of the report's figures are meant
     * @param coordinate the name of x in {@link Figure#at()}
     */
    Lines(Report report, Predicate<Figure> which, String coordinate) {
        this(report, which, coordinate, figure -> 0);
    }

    /**
     * @param inverse what is divided by a figure's value to get y; y is the value where it gives 0
     */
    Lines(
            Report report,
            Predicate<Figure> which,
            String coordinate,
            ToDoubleFunction<Figure> inverse) {
        figures = report.figures().stream().filter(which).toList();
        this.coordinate = coordinate;
        scale = inverse;
    }

    /** Adds an engine's line, unless it has no figures. */
    Lines add(String engine, String label) {
        YIntervalSeries series = new YIntervalSeries(label);
        for (Figure figure : of(engine)) {
            double by = scale.applyAsDouble(figure);
            if (by > 0) {
                series.add(
                        x(figure), by / figure.median(), by / figure.most(), by / figure.least());
            } else {
                series.add(x(figure), figure.median(), figure.least(), figure.most());
            }
        }
        if (!series.isEmpty()) {
            engines.add(engine);
            data.addSeries(series);
        }
        return this;
    }

    /** Adds the engines of batches, with these labels. */
    Lines addAll(Map<String, String> labels) {
        labels.forEach(this::add);
        return this;
    }

    private List<Figure> of(String engine) {
        return figures.stream().filter(figure -> figure.engine().equals(engine)).toList();
    }

    private double x(Figure figure) {
        return figure.at().get(coordinate);
    }

    boolean isEmpty() {
        return engines.isEmpty();
    }

    /** Whether some engine has figures at more than one place. */
    boolean isCurve() {
        for (int series = 0; series < data.getSeriesCount(); series++) {
            if (data.getItemCount(series) > 1) {
                return true;
            }
        }
        return false;
    }

    String engine(int series) {
        return engines.get(series);
    }

    YIntervalSeriesCollection data() {
        return data;
    }

    /** Where an engine's figures become greater than another's, if they do after having been less. */
    OptionalDouble crossing(String engine, String other) {
        List<Figure> a = of(engine);
        List<Figure> b = of(other);
        for (int i = 1; i < Math.min(a.size(), b.size()); i++) {
            double before = Math.log(a.get(i - 1).median() / b.get(i - 1).median());
            double after = Math.log(a.get(i).median() / b.get(i).median());
            if (before < 0 && after >= 0) {
                double from = Math.log(x(a.get(i - 1)));
                double to = Math.log(x(a.get(i)));
                return OptionalDouble.of(Math.exp(from + (to - from) * before / (before - after)));
            }
        }
        return OptionalDouble.empty();
    }
}
