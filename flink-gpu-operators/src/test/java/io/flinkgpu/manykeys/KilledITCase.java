package io.flinkgpu.manykeys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/**
 * {@link Trials} does it for longer, with other backends and more than once.
 *
 * <p>Covers: KeyedWindows.
 */
@Timeout(180)
class KilledITCase {

    private static final int ROWS = 200_000;

    @TempDir Path folder;

    @Test
    void aKilledProcessLosesAndRepeatsNothing() throws Exception {
        Killed.run(Backend.ROCKSDB, ROWS, 1, System.nanoTime(), folder, System.out);
    }
}
