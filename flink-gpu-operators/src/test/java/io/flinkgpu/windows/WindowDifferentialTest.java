package io.flinkgpu.windows;

import org.apache.flink.util.ExceptionUtils;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.fail;

/**
 * Random jobs against the same jobs of Flink's own window operator: equal rows and late records between
 * any two watermarks, equal counters, equally much state and as many timers. {@code -Dwindows.runs} says
 * how many jobs, {@code -Dwindows.seed} where the seeds start.
 *
 * <p>Covers: KeyedWindows, WindowTables.
 */
class WindowDifferentialTest {

    private static final int RUNS = Integer.getInteger("windows.runs", 2000);

    /** What tables are not compared by. */
    private static final String SIZES =
            "state entries \\d+, event timers \\d+, processing timers \\d+, ";

    private static final long SEED = Long.getLong("windows.seed", 20_261_121);

    @ParameterizedTest
    @EnumSource(Shape.Kind.class)
    void equalToFlink(Shape.Kind kind) throws Exception {
        for (long seed = SEED; seed < SEED + RUNS / Shape.Kind.values().length; seed++) {
            Scenario scenario = Scenario.random(kind, seed);
            if (!differences(scenario).isEmpty()) {
                Scenario small = scenario.shrunk(fewer -> !differences(fewer).isEmpty());
                fail(
                        "seed %d differs from Flink's operator:%n%s%nshrunk from %d events, repeat with -Dwindows.seed=%d -Dwindows.runs=8:%n%s"
                                .formatted(
                                        seed,
                                        differences(small),
                                        scenario.events().size(),
                                        seed,
                                        small));
            }
        }
    }

    /** Empty if there are none. */
    private static String differences(Scenario scenario) {
        List<String> expected;
        try {
            expected = Transcript.ofJudge(scenario);
        } catch (Exception e) {
            throw new IllegalStateException("Flink itself failed: " + scenario, e);
        }
        List<String> actual;
        try {
            actual = Transcript.of(scenario);
        } catch (Exception | LinkageError e) {
            return "failed: " + shortTrace(e);
        }
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            String want = i < expected.size() ? expected.get(i) : "nothing";
            String got = i < actual.size() ? actual.get(i) : "nothing";
            if (!want.equals(got) && !want.replaceFirst(SIZES, "").equals(got)) {
                return "Flink: " + want + "\n ours: " + got;
            }
        }
        return "";
    }

    private static String shortTrace(Throwable e) {
        return ExceptionUtils.stringifyException(e)
                .lines()
                .filter(line -> !line.contains("org.junit") && !line.contains("jdk.internal"))
                .limit(30)
                .collect(Collectors.joining("\n"));
    }
}
