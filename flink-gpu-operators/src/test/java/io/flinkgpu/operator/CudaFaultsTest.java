package io.flinkgpu.operator;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.backend.cuda.CudaSmokeTest;
import io.flinkgpu.backend.cuda.device.CudaProbe;
import io.flinkgpu.operator.FaultJob.Settings;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What faults of real devices do to the process, which is one of its own for each run, and to the records.
 *
 * <p>Covers: CudaProbe.
 */
@Tag("gpu")
@Timeout(400)
class CudaFaultsTest {

    private static final int RECORDS = 1_000_000;
    private static final String LOST =
            "the CUDA context is lost, and with it this TaskManager process";

    @TempDir private Path folder;

    private int devices;

    @BeforeEach
    void requireGpu() throws Exception {
        CudaSmokeTest.openOrSkip().close();
        devices = CudaProbe.deviceCount();
    }

    @Test
    void aHealthyDeviceRedactsAll() throws Exception {
        finishes(ChildJvm.plain(), BackendChoice.CUDA, DeviceFault.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS",
        "MISALIGNED_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS",
        "TRAP, CUDA_ERROR_LAUNCH_FAILED"
    })
    void aRuinedContextEndsTheProcessAndTheNextGoesOn(DeviceFault fault, String error)
            throws Exception {
        ChildJvm.Ended ended = run(ChildJvm.plain(), BackendChoice.CUDA, fault, 1);
        assertThat(ended.exitValue()).as(ended.log()).isEqualTo(ChildJvm.HALTED);
        assertThat(ended.log())
                .contains("the device is faulty now", LOST, "terminating the JVM")
                .contains(error);
        assertThat(FaultJob.problem(folder, RECORDS)).contains("lost=").endsWith("unredacted=0");
        finishes(ChildJvm.plain(), BackendChoice.CUDA, DeviceFault.NONE);
    }

    /** The process has both, so it ends; the next is shown the one that is left. */
    @Test
    void oneOfTwoDevicesIsLost() throws Exception {
        Assumptions.assumeTrue(devices > 1, "two devices");
        ChildJvm.Ended ended =
                run(ChildJvm.plain(), BackendChoice.CUDA, DeviceFault.ILLEGAL_ADDRESS, 2);
        assertThat(ended.exitValue()).as(ended.log()).isEqualTo(ChildJvm.HALTED);
        assertThat(ended.log()).contains("the device is faulty now", LOST);

        ChildJvm one = new ChildJvm(List.of(), Map.of("CUDA_VISIBLE_DEVICES", "0"));
        ChildJvm.Ended next = run(one, BackendChoice.CUDA, DeviceFault.NONE, 2);
        assertThat(next.exitValue()).as(next.log()).isZero();
        assertThat(FaultJob.problem(folder, RECORDS)).isEmpty();
    }

    @Test
    void batchesWithoutDeviceMemoryRunOnTheCpu() throws Exception {
        ChildJvm.Ended ended =
                finishes(ChildJvm.plain(), BackendChoice.CUDA, DeviceFault.FULL_AFTER_OPEN);
        assertThat(ended.log())
                .contains("the device is full now")
                .contains("A batch runs on the CPU, which is slower, for lack of device memory");
    }

    @Test
    void aFullDeviceIsAnErrorAtOpen() throws Exception {
        ChildJvm.Ended ended =
                run(ChildJvm.plain(), BackendChoice.CUDA, DeviceFault.FULL_BEFORE_OPEN, 1);
        assertThat(ended.log()).contains("the device is full now");
        // What is left is enough for the context and the kernels, or not.
        if (ended.exitValue() == 0) {
            assertThat(ended.log()).contains("for lack of device memory");
            assertThat(FaultJob.problem(folder, RECORDS)).isEmpty();
        } else {
            assertThat(ended.exitValue()).as(ended.log()).isEqualTo(1);
            assertThat(ended.log()).contains("CUDA_ERROR_OUT_OF_MEMORY", "nvidia-smi");
        }
    }

    /** Whether the driver asks for the limit is up to it; either way all records are redacted. */
    @Test
    void aLimitOfLockedMemoryCostsNoRecord() throws Exception {
        ChildJvm limited =
                new ChildJvm(List.of("sh", "-c", "ulimit -l 64; exec \"$@\"", "sh"), Map.of());
        ChildJvm.Ended ended = finishes(limited, BackendChoice.CUDA, DeviceFault.NONE);
        System.out.println(
                "ulimit -l 64: "
                        + (ended.log().contains("host memory cannot be page-locked")
                                ? "refused, copies are slower"
                                : "the driver locks memory all the same"));
    }

    @Test
    void autoIsTheCpuWithAWarningWhereNoGpuOpened() throws Exception {
        ChildJvm blind = new ChildJvm(List.of(), Map.of("CUDA_VISIBLE_DEVICES", ""));
        ChildJvm.Ended ended = finishes(blind, BackendChoice.AUTO, DeviceFault.NONE);
        assertThat(ended.log().lines().filter(line -> line.contains(", not on a GPU: ")))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("Redaction runs on cpu");
    }

    private ChildJvm.Ended finishes(ChildJvm jvm, BackendChoice backend, DeviceFault fault)
            throws Exception {
        ChildJvm.Ended ended = run(jvm, backend, fault, 1);
        assertThat(ended.exitValue()).as(ended.log()).isZero();
        assertThat(FaultJob.problem(folder, RECORDS)).isEmpty();
        return ended;
    }

    private ChildJvm.Ended run(
            ChildJvm jvm, BackendChoice backend, DeviceFault fault, int parallelism)
            throws Exception {
        return jvm.run(
                FaultJob.class, new Settings(backend, fault, RECORDS, parallelism, folder).args());
    }
}
