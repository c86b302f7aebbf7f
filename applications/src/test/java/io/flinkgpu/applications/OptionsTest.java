package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.streaming.api.environment.CheckpointConfig;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: Options, RuleChoice.
 */
class OptionsTest {

    @Test
    void noCheckpointStartsWithTheJob() throws UsageException {
        CheckpointConfig checkpoints =
                LogRedaction.environment(Options.parse("--parallelism", "2")).getCheckpointConfig();
        assertThat(checkpoints.getMinPauseBetweenCheckpoints())
                .isEqualTo(checkpoints.getCheckpointInterval())
                .isPositive();
    }

    @Test
    void everyOptionIsRead() throws UsageException {
        Options options =
                Options.parse(
                        "--input",
                        "a.log",
                        "--input=b c.log",
                        "--rules",
                        "r.yaml",
                        "--output",
                        "o",
                        "--stats",
                        "s",
                        "--backend",
                        "cuda",
                        "--parallelism",
                        "3",
                        "--hash-key-file",
                        "k",
                        "--web-ui",
                        "9000",
                        "--sample-mb",
                        "7",
                        "--preview");
        assertThat(options.inputs()).containsExactly(Path.of("a.log"), Path.of("b c.log"));
        assertThat(options.rules()).contains(Path.of("r.yaml"));
        assertThat(options.output()).contains(Path.of("o"));
        assertThat(options.stats()).contains(Path.of("s"));
        assertThat(options.backend()).isEqualTo(BackendChoice.CUDA);
        assertThat(options.parallelism()).isEqualTo(3);
        assertThat(options.hashKeyFile()).contains(Path.of("k"));
        assertThat(options.webUiPort()).isEqualTo(9000);
        assertThat(options.sampleMb()).isEqualTo(7);
        assertThat(options.preview()).isTrue();
    }

    @Test
    void defaults() throws UsageException {
        Options options = Options.parse();
        assertThat(options.inputs()).isEmpty();
        assertThat(options.rules()).isEmpty();
        assertThat(options.output()).isEmpty();
        assertThat(options.stats()).isEmpty();
        assertThat(options.backend()).isEqualTo(BackendChoice.AUTO);
        assertThat(options.parallelism()).isZero();
        assertThat(options.webUiPort()).isZero();
        assertThat(options.sampleMb()).isEqualTo(64);
        assertThat(options.preview()).isFalse();
    }

    @Test
    void thePortOfTheWebUiMayBeLeftOut() throws UsageException {
        assertThat(Options.parse("--web-ui").webUiPort()).isEqualTo(8081);
        Options options = Options.parse("--web-ui", "--parallelism", "2");
        assertThat(options.webUiPort()).isEqualTo(8081);
        assertThat(options.parallelism()).isEqualTo(2);
    }

    @Test
    void everyErrorIsReported() {
        assertThatThrownBy(
                        () ->
                                Options.parse(
                                        "x.log",
                                        "--frobnicate",
                                        "5",
                                        "--backend=gpu",
                                        "--parallelism",
                                        "two",
                                        "--sample-mb",
                                        "0",
                                        "--web-ui",
                                        "99999",
                                        "--output",
                                        "--rules"))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e ->
                                assertThat(e.lines())
                                        .containsExactly(
                                                "unexpected argument 'x.log': files are given with"
                                                        + " --input",
                                                "unknown option '--frobnicate': see --help",
                                                "option --backend is auto, cpu or cuda, not 'gpu':"
                                                        + " choose one",
                                                "option --parallelism is a whole number from 1 to"
                                                        + " 1024, not 'two'",
                                                "option --sample-mb is a whole number from 1 to"
                                                        + " 100000, not '0'",
                                                "option --web-ui is a whole number from 1 to 65535,"
                                                        + " not '99999'",
                                                "option --output lacks its value: see --help",
                                                "option --rules lacks its value: see --help"));
    }

    @Test
    void onlyInputsAreGivenTwice() {
        assertThatThrownBy(
                        () ->
                                Options.parse(
                                        "--input=a",
                                        "--input=b",
                                        "--output",
                                        "o",
                                        "--output=p",
                                        "--sample-mb=1",
                                        "--sample-mb=1"))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        e ->
                                assertThat(e.lines())
                                        .containsExactly(
                                                "option --output is given twice: leave one of them"
                                                        + " out",
                                                "option --sample-mb is given twice: leave one of"
                                                        + " them out"));
    }

    @Test
    void helpWinsOverErrors() {
        Cli run = Cli.run("--nonsense", "--help");
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo(Options.USAGE.lines().toList());
        assertThat(run.err()).isEmpty();
    }
}
