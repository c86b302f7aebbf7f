package io.flinkgpu.backend.cuda;

import org.junit.jupiter.api.Assumptions;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The programs that run the kernels' source on the CPU. The kernels module builds them with its own
 * tests, where make and g++ are on the PATH.
 */
public final class EmulatedKernels {

    private static final Path FOLDER =
            Path.of("..", "kernels", "target", "cuda").toAbsolutePath().normalize();

    private EmulatedKernels() {}

    /**
     * The program of a verb. Where it is not built, the test that asks is skipped, and with {@code
     * -Demulation.required=true} it fails.
     */
    public static Path program(String verb) {
        return program(FOLDER.resolve("emulate_" + verb), Boolean.getBoolean("emulation.required"));
    }

    static Path program(Path program, boolean required) {
        if (!Files.isExecutable(program)) {
            String problem =
                    program + " is not there: test the kernels module with g++ on the PATH";
            if (required) {
                throw new AssertionError(problem + ", or set -Demulation.required=false");
            }
            Assumptions.abort(problem);
        }
        return program;
    }
}
