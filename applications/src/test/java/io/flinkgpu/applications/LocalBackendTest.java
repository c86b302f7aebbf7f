package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class LocalBackendTest {

    /** With auto an operator logs why it does not run on a GPU; with cpu it has nothing to say. */
    @ParameterizedTest
    @EnumSource(
            value = BackendChoice.class,
            names = {"AUTO", "CPU"})
    void theChoiceIsLeftToOperators(BackendChoice choice) throws Exception {
        try (LocalBackend backend =
                LocalBackend.of(StreamExecutionEnvironment.createLocalEnvironment(1), choice)) {
            assertThat(backend.choice()).isEqualTo(choice);
            assertThat(backend.kept()).isPresent();
        }
    }
}
