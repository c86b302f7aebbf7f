package io.flinkgpu.operator;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** How many subtasks a device is shared by. */
class DeviceSlotTest {

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "16, 1, 16", "16, 2, 8", "16, 3, 6", "1, 8, 1"})
    void subtasksAreSpreadEvenly(int subtasks, int devices, int sharers) {
        assertThat(DeviceSlot.sharers(subtasks, devices)).isEqualTo(sharers);
    }
}
