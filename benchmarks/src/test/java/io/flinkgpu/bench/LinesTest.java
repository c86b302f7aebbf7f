package io.flinkgpu.bench;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class LinesTest {

    private final List<Figure> figures = new ArrayList<>();

    private void add(String engine, long batchBytes, double rate) {
        figures.add(Figure.of("batch", engine, Map.of("batchBytes", batchBytes), "GB/s", rate));
    }

    private OptionalDouble crossing() {
        Hardware hardware = new Hardware("", "", "", 1, "", 0, 0, 0);
        Report report = new Report("", "", "", "", hardware, figures);
        return new Lines(report, figure -> true, "batchBytes").crossing("gpu", "cpu");
    }

    @Test
    void linesCrossWhereTheirRatioIsOne() {
        // From a half to double, so in the middle of the logarithms.
        add("cpu", 1 << 10, 2);
        add("cpu", 1 << 12, 2);
        add("gpu", 1 << 10, 1);
        add("gpu", 1 << 12, 4);
        assertThat(crossing().orElseThrow()).isCloseTo(1 << 11, within(1e-6));
    }

    @Test
    void aLineThatIsAlwaysAheadCrossesNothing() {
        add("cpu", 1 << 10, 1);
        add("cpu", 1 << 12, 1);
        add("gpu", 1 << 10, 2);
        add("gpu", 1 << 12, 4);
        assertThat(crossing()).isEmpty();
    }

    @Test
    void onlyPointsThatBothHaveCount() {
        add("cpu", 1 << 10, 2);
        add("gpu", 1 << 10, 1);
        add("gpu", 1 << 12, 4);
        assertThat(crossing()).isEmpty();
    }
}
