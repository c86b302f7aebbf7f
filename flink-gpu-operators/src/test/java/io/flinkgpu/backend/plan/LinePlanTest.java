package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LinePlanTest {

    @Test
    void refusesAKeyThatIsNoString() {
        Delimited format = Delimited.of(';').string("key").intNumber("n");
        List<ValueSpec> values = List.of();
        assertThatThrownBy(() -> new LinePlan(format, 1, null, List.of(), values))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "lines are grouped by a string, cut by a timestamp, and a value is a number of"
                                + " its field's type: key=1; give the index of such a field, and a"
                                + " value for each");
    }
}
