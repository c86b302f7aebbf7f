package io.flinkgpu.backend.cuda.lines;

import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.LinesContract;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;

import org.junit.jupiter.api.BeforeAll;

import java.nio.file.Files;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The contract of lines, kept by the kernels' own source on the CPU. */
class EmulatedLinesTest extends LinesContract {

    @BeforeAll
    static void isBuilt() {
        assumeTrue(
                Files.isExecutable(EmulatedLines.PROGRAM),
                () ->
                        EmulatedLines.PROGRAM
                                + " is not there: build the kernels module with g++ on the PATH");
    }

    @Override
    protected Backend open() throws Exception {
        return new EmulatedBackend();
    }
}
