package io.flinkgpu.backend.plan;

import io.flinkgpu.api.Aggregate;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.ValueSpec;
import io.flinkgpu.api.lines.Delimited;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: LinePlan, Plan.
 */
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

    @Test
    void refusesToHoldGroupsThatMayBeLate() {
        Delimited format = Delimited.of(';').string("key").epochMillis("t").intNumber("n");
        ValueSpec value = new ValueSpec("n", ColumnType.INT, List.of(Aggregate.SUM));
        LinePlan plan =
                new LinePlan(format, 0, new TimeSlices(1, 1000, 0), List.of(2), List.of(value));
        assertThat(plan.holdsGroups()).isFalse();
        assertThatThrownBy(plan::holdingGroups)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "groups are held of lines without a time only, which are never late: time="
                                + plan.time()
                                + "; leave out the time, or hold no groups");
    }
}
