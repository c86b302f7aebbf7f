package io.flinkgpu.backend.cuda.aggregate;

import io.flinkgpu.backend.AggregationContract;
import io.flinkgpu.backend.Backend;
import io.flinkgpu.backend.cuda.redact.EmulatedBackend;

import org.junit.jupiter.api.BeforeAll;

import java.nio.file.Files;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The contract of aggregation, kept by the kernels' own source on the CPU. */
class EmulatedAggregationTest extends AggregationContract {

    @BeforeAll
    static void isBuilt() {
        assumeTrue(
                Files.isExecutable(EmulatedBackend.PROGRAM),
                () ->
                        EmulatedBackend.PROGRAM
                                + " is not there: build the kernels module with g++ on the PATH");
    }

    @Override
    protected Backend open() throws Exception {
        return new EmulatedBackend();
    }
}
