package io.flinkgpu.operator;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.ScriptedBackend;
import io.flinkgpu.backend.ScriptedBackend.Call;
import io.flinkgpu.column.StringFieldCodec;
import io.flinkgpu.operator.redact.RedactSpec;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flink ends the process of a job whose device is lost, as nothing else gets it another context.
 *
 * <p>Covers: BatchEngine.
 */
class LostDeviceITCase {

    /** What Flink's {@code Task} halts with. */
    private static final int HALTED = 255;

    @Test
    @Timeout(120)
    void theProcessEnds() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx512m",
                                "-XX:TieredStopAtLevel=1",
                                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Job.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(HALTED);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Ends with 0 if Flink takes it for a failure of the job alone. */
    static final class Job {

        private static final RuleSet RULES =
                RuleSet.of(Rule.of("secret", "secret", Action.label("[X]")));

        private Job() {}

        public static void main(String[] args) {
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.createLocalEnvironment(1);
            BackendFactory losing =
                    request ->
                            ScriptedBackend.openCpu(
                                    request,
                                    (call, rows) -> {
                                        if (call == Call.AWAIT) {
                                            throw new FatalDeviceException("made up");
                                        }
                                    });
            environment
                    .fromData("secret")
                    .transform(
                            "redact",
                            Types.STRING,
                            new BatchOperatorFactory<>(
                                    new RedactSpec<>(
                                            new StringFieldCodec<String>(
                                                    text -> text, (record, text) -> text),
                                            RuleCompiler.compile(RULES)),
                                    GpuOptions.DEFAULT,
                                    losing,
                                    losing))
                    .sinkTo(new DiscardingSink<>());
            try {
                environment.execute();
            } catch (Exception e) {
                // The job failed, and the process is still there.
            }
            System.exit(0);
        }
    }
}
