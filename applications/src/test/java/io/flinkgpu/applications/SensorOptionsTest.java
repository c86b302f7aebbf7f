package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: SensorOptions.
 */
class SensorOptionsTest {

    @Test
    void everyOptionIsRead() throws UsageException {
        SensorOptions options =
                SensorOptions.parse(
                        "--rows=7",
                        "--sensors",
                        "3",
                        "--window",
                        "5m",
                        "--slide",
                        "500ms",
                        "--lateness",
                        "0s",
                        "--backend",
                        "cuda",
                        "--parallelism",
                        "2");
        assertThat(options)
                .isEqualTo(
                        new SensorOptions(
                                7,
                                3,
                                Duration.ofMinutes(5),
                                Duration.ofMillis(500),
                                Duration.ZERO,
                                BackendChoice.CUDA,
                                2));
    }

    @Test
    void helpNamesEveryOption() {
        Cli help = Cli.runSensors("--nonsense", "--help");
        assertThat(help.code()).isZero();
        assertThat(String.join("\n", help.out()))
                .contains("--rows", "--sensors", "--window", "--slide", "--lateness")
                .contains("--backend", "--parallelism", "--help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --row 5          | unknown option '--row'; did you mean '--rows'?
                    5                | unexpected argument '5': see --help
                    --rows           | option --rows lacks its value: see --help
                    --rows 0         | option --rows is a whole number from 1 to 2000000000, not '0'
                    --sensors x      | option --sensors is a whole number from 1 to 1000000, not 'x'
                    --window 10      | option --window is a whole number with its unit, ms, s, m or h, from 1ms to 24h, not '10'
                    --window 25h     | option --window is a whole number with its unit, ms, s, m or h, from 1ms to 24h, not '25h'
                    --slide 0s       | option --slide is a whole number with its unit, ms, s, m or h, from 1ms to 24h, not '0s'
                    --lateness -1s   | option --lateness is a whole number with its unit, ms, s, m or h, from 0ms to 24h, not '-1s'
                    --window 1s      | option --slide is at most the --window, 1000ms, not 2000ms: give a shorter slide or a longer window
                    --slide 500us    | option --slide is a whole number with its unit, ms, s, m or h, from 1ms to 24h, not '500us'
                    --window 24h     | a --window has at most 10000 times the --slide, not 86400000ms for 2000ms: give a longer slide or a shorter window
                    --backend gpu    | option --backend is auto, cpu or cuda, not 'gpu': choose one
                    """)
    void mistakesAreOneLine(String args, String message) {
        Cli run = Cli.runSensors((Object[]) args.split(" "));
        assertThat(run).isEqualTo(new Cli(2, List.of(), List.of("sensor-windows: " + message)));
    }
}
