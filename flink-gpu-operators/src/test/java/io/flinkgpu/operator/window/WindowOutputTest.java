package io.flinkgpu.operator.window;

import io.flinkgpu.api.Aggregates;
import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.ErrorValues;
import io.flinkgpu.api.WindowMapper;
import io.flinkgpu.state.Partial;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

import org.junit.jupiter.api.Test;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: WindowOutput, WindowTrigger.
 */
class WindowOutputTest {

    @Test
    void aMapperThatThrowsIsNamedWithKeyAndWindow() {
        Aggregates<Long> aggregates = Aggregates.of((Long value) -> value).min();
        WindowMapper<String, Object> mapper = result -> result.values().getLong("nope");
        WindowAssigner<Object, TimeWindow> assigner =
                TumblingEventTimeWindows.of(Duration.ofMillis(10));
        WindowPlan<Long, String, String, Object> plan =
                new WindowPlan<>(
                        assigner,
                        WindowShape.of(assigner),
                        WindowTrigger.of(assigner),
                        aggregates,
                        StateKeys.unchanged(Types.STRING),
                        0,
                        1 << 20,
                        false,
                        null,
                        mapper,
                        ErrorValues.of(ErrorDetail.FULL));
        Partial contents = new Partial(aggregates.specs());
        contents.add(0, 7);

        WindowOutput<String, String, Object> output = new WindowOutput<>(plan, null);

        assertThatThrownBy(() -> output.emit("k1", new TimeWindow(20, 30), contents))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("a mapper must not throw: error=")
                .hasMessageContaining("name='nope'")
                .hasMessageEndingWith(", key=k1, window=TimeWindow{start=20, end=30}");
    }
}
