package io.flinkgpu.operator;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.operator.FaultJob.Settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flink ends the process of a job whose device is lost, as nothing else gets it another context, and the next
 * process goes on from the last checkpoint. {@link CudaFaultsTest} does it to real devices.
 *
 * <p>Covers: BatchEngine.
 */
@Timeout(300)
class LostDeviceITCase {

    private static final int RECORDS = 400_000;

    @TempDir private Path folder;

    @Test
    void theProcessEndsAndTheNextLosesAndRepeatsNothing() throws Exception {
        ChildJvm.Ended lost = run(DeviceFault.SCRIPTED);
        assertThat(lost.exitValue()).as(lost.log()).isEqualTo(ChildJvm.HALTED);
        assertThat(lost.log()).contains("made up").contains("terminating the JVM");
        assertThat(FaultJob.problem(folder, RECORDS)).contains("lost=").endsWith("unredacted=0");

        ChildJvm.Ended next = run(DeviceFault.NONE);
        assertThat(next.exitValue()).as(next.log()).isZero();
        assertThat(FaultJob.problem(folder, RECORDS)).isEmpty();
    }

    private ChildJvm.Ended run(DeviceFault fault) throws Exception {
        return ChildJvm.plain()
                .run(
                        FaultJob.class,
                        new Settings(BackendChoice.CPU, fault, RECORDS, 1, folder).args());
    }
}
