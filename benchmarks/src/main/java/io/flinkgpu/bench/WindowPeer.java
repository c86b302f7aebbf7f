package io.flinkgpu.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** Tumbling windows by Flink's own operator and by ours with the CPU backend, as WindowBench has them. */
final class WindowPeer {

    private static final String SCENARIO = "tumbling-heap";

    private WindowPeer() {}

    static void run(Lab lab) throws Exception {
        WindowBench.Scenario scenario =
                WindowBench.SCENARIOS.stream()
                        .filter(s -> s.name().equals(SCENARIO))
                        .findFirst()
                        .orElseThrow();
        for (WindowBench.Side side : new WindowBench.Side[] {scenario.base(), scenario.ours()}) {
            long rows = lab.settings().quick() ? 100_000 : side.rows();
            WindowBench.Side sized =
                    new WindowBench.Side(
                            side.name(),
                            side.flink(),
                            side.stateBackend(),
                            side.windows(),
                            rows,
                            side.hotPercent());
            double[] values = new double[lab.settings().pick(2, 1)];
            // The first turn is to warm up.
            for (int i = -1; i < values.length; i++) {
                values[Math.max(0, i)] = WindowBench.rowsPerSecond(sized) / 1e6;
            }
            Map<String, Long> at = new LinkedHashMap<>();
            at.put("rows", rows);
            String engine = side.flink() ? "plain-flink" : Engines.FLINK_CPU;
            lab.add(Figure.of("windows", engine, at, "M rows/s", values));
        }
    }
}
