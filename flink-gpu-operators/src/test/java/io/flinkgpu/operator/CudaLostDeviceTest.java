package io.flinkgpu.operator;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.cuda.CudaSmokeTest;

import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a fault of the real device does to the process, which is one of its own for each test.
 *
 * <p>Covers: FatalDeviceException.
 */
@Tag("gpu")
@Timeout(300)
class CudaLostDeviceTest {

    /** What Flink's {@code Task} halts with. */
    private static final int HALTED = 255;

    private static final int DONE = 0;

    /** Flink's test jars bring settings by which nothing is logged. */
    private static final String LOGGING =
            """
            rootLogger.level = WARN
            rootLogger.appenderRef.console.ref = console
            appender.console.type = Console
            appender.console.name = console
            appender.console.layout.type = PatternLayout
            appender.console.layout.pattern = %p %c: %m%n
            """;

    @BeforeEach
    void requireGpu() throws Exception {
        CudaSmokeTest.openOrSkip().close();
    }

    @Test
    void aRedactionEndsOnAHealthyDevice() throws Exception {
        Ended ended = run(Map.of(), BackendChoice.CUDA, "healthy");
        assertThat(ended.exitValue).as(ended.log).isEqualTo(DONE);
        assertThat(ended.log).contains("made 3000000 records");
    }

    @Test
    void anIllegalAddressEndsTheProcess() throws Exception {
        Ended ended = run(Map.of(), BackendChoice.CUDA, "faulty");
        assertThat(ended.exitValue).as(ended.log).isEqualTo(HALTED);
        assertThat(ended.log)
                .contains("the device is faulty now")
                .contains("CUDA_ERROR_ILLEGAL_ADDRESS")
                .contains("the CUDA context is lost, and with it this TaskManager process")
                .contains("terminating the JVM");
    }

    @Test
    void autoIsTheCpuWithAWarningWhereNoGpuOpened() throws Exception {
        Ended ended = run(Map.of("CUDA_VISIBLE_DEVICES", ""), BackendChoice.AUTO, "healthy");
        assertThat(ended.exitValue).as(ended.log).isEqualTo(DONE);
        assertThat(ended.log).contains("made 3000000 records");
        assertThat(ended.log.lines().filter(line -> line.contains(", not on a GPU: ")))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("Redaction runs on cpu");
    }

    private record Ended(int exitValue, String log) {}

    private static Ended run(Map<String, String> environment, BackendChoice backend, String device)
            throws Exception {
        File log = File.createTempFile("lost-device", ".log");
        Path settings = Files.writeString(Files.createTempFile("log", ".properties"), LOGGING);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx1g");
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("-Dlog4j2.configurationFile=" + settings);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(Job.class.getName(), backend.name(), device));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(120, TimeUnit.SECONDS);
            String text = Files.readString(log.toPath());
            assertThat(ended).as(text).isTrue();
            return new Ended(process.exitValue(), text);
        } finally {
            process.destroyForcibly();
            Files.delete(log.toPath());
            Files.delete(settings);
        }
    }

    /** Exits with 0 if it redacted all records, and with 1 if Flink takes a fault for the job's alone. */
    static final class Job {

        private static final int RECORDS = 3_000_000;
        private static final RuleSet RULES =
                RuleSet.of(Rule.of("secret", "secret", Action.label("[X]")));

        private Job() {}

        public static void main(String[] args) {
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.createLocalEnvironment(1);
            GpuOptions options = GpuOptions.DEFAULT.withBackend(BackendChoice.valueOf(args[0]));
            GpuStreams.redact(
                            environment.fromSequence(1, RECORDS).map(i -> "secret " + i),
                            text -> text,
                            (record, text) -> text,
                            RULES,
                            options)
                    .map(new Faults(args[1].equals("faulty")))
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            try {
                environment.execute();
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(1);
            }
            System.out.println("made " + RECORDS + " records");
            System.exit(0);
        }
    }

    /** Ruins the device's context while batches of the redaction are under way. */
    private static final class Faults extends RichMapFunction<String, String> {

        private static final long serialVersionUID = 1L;

        private final boolean faulty;
        private boolean first = true;

        Faults(boolean faulty) {
            this.faulty = faulty;
        }

        @Override
        public String map(String redacted) throws InterruptedException {
            if (faulty && first) {
                // A context is current for a thread: this one's stays as it is.
                Thread thread = new Thread(IllegalAddress::write);
                thread.start();
                thread.join();
            }
            first = false;
            return redacted;
        }
    }

    /** A kernel that writes where no memory is, in the context that the library uses too. */
    private static final class IllegalAddress {

        private static final String PTX =
                """
                .version 6.3
                .target sm_75
                .address_size 64
                .visible .entry write_illegal_address()
                {
                    .reg .b64 %address;
                    .reg .b32 %value;
                    mov.u64 %address, 16;
                    mov.u32 %value, 1;
                    st.global.u32 [%address], %value;
                    ret;
                }
                """;

        private IllegalAddress() {}

        static void write() {
            CUdevice device = new CUdevice();
            CUcontext context = new CUcontext();
            CUmodule module = new CUmodule();
            CUfunction kernel = new CUfunction();
            require(JCudaDriver.cuDeviceGet(device, 0), "cuDeviceGet");
            require(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "retain");
            require(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
            byte[] image = (PTX + '\0').getBytes(StandardCharsets.US_ASCII);
            require(JCudaDriver.cuModuleLoadData(module, image), "cuModuleLoadData");
            require(
                    JCudaDriver.cuModuleGetFunction(kernel, module, "write_illegal_address"),
                    "cuModuleGetFunction");
            require(
                    JCudaDriver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, null, null, null),
                    "cuLaunchKernel");
            JCudaDriver.cuCtxSynchronize();
            System.out.println("the device is faulty now");
        }

        private static void require(int result, String call) {
            if (result != 0) {
                System.out.println(call + " gave " + result + "; the device has no fault");
            }
        }
    }
}
