package io.flinkgpu.backend.cuda;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: EmulatedKernels.
 */
class EmulatedKernelsTest {

    @TempDir Path folder;

    @Test
    void aProgramThatIsMissingSkipsOrFails() {
        Path program = folder.resolve("emulate_nothing");
        assertThatThrownBy(() -> EmulatedKernels.program(program, false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("with g++ on the PATH");
        assertThatThrownBy(() -> EmulatedKernels.program(program, true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("-Demulation.required=false");
    }

    @Test
    void aProgramThatIsBuiltIsTaken() throws Exception {
        Path program = Files.createFile(folder.resolve("emulate_something"));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(EmulatedKernels.program(program, true)).isEqualTo(program);
    }
}
