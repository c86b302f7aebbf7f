package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.device.VisibleDevices.Device;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: VisibleDevices.
 */
class VisibleDevicesTest {

    /** The driver's order is that of speed; a domain counts more than a bus. */
    private static final VisibleDevices DEVICES =
            new VisibleDevices(
                    List.of(
                            new Device(
                                    0, "0000:af:00.0", "GPU-aaaaaaaa-0000-0000-0000-000000000000"),
                            new Device(
                                    1, "0000:3B:00.0", "GPU-bbbbbbbb-0000-0000-0000-000000000000"),
                            new Device(
                                    2, "0001:02:00.0", "GPU-cccccccc-0000-0000-0000-000000000000"),
                            new Device(
                                    3,
                                    "0000:3b:01.0",
                                    "GPU-dddddddd-0000-0000-0000-000000000000")));

    @Test
    void anIndexCountsInTheOrderOfBuses() throws Exception {
        assertThat(DEVICES.find("0")).isEqualTo(1);
        assertThat(DEVICES.find("1")).isEqualTo(3);
        assertThat(DEVICES.find("2")).isEqualTo(0);
        assertThat(DEVICES.find("3")).isEqualTo(2);
    }

    @Test
    void aUuidIsThatDevice() throws Exception {
        assertThat(DEVICES.find("GPU-cccccccc-0000-0000-0000-000000000000")).isEqualTo(2);
        assertThat(DEVICES.find("GPU-AAAAAAAA-0000-0000-0000-000000000000")).isEqualTo(0);
    }

    @Test
    void aMigInstanceIsTheOnlyDeviceThereIs() throws Exception {
        VisibleDevices one = new VisibleDevices(List.of(new Device(0, "0000:3b:00.0", "GPU-1")));
        assertThat(one.find("MIG-12345678-0000-0000-0000-000000000000")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4",
                "-1",
                "99999999999",
                "",
                "GPU-",
                "MIG-12345678-0000-0000-0000-000000000000",
                "GPU-eeeeeeee-0000-0000-0000-000000000000"
            })
    void whatIsNotThereIsNotAnotherDevice(String assigned) {
        assertThatThrownBy(() -> DEVICES.find(assigned))
                .isExactlyInstanceOf(BackendException.class)
                .hasMessageStartingWith(
                        "Flink assigned a GPU that this process does not see: gpu="
                                + assigned
                                + ", ");
    }

    @Test
    void theErrorNamesWhatIsThereAndTheRemedy() {
        VisibleDevices one = new VisibleDevices(List.of(new Device(0, "0000:3b:00.0", "GPU-1")));
        assertThatThrownBy(() -> one.find("2"))
                .hasMessage(
                        "Flink assigned a GPU that this process does not see: gpu=2, visible=GPU-1; an index"
                                + " counts these from 0, and CUDA_VISIBLE_DEVICES hides others: unset it for"
                                + " the TaskManager, or have the script of external-resource.gpu print"
                                + " UUIDs");
    }
}
