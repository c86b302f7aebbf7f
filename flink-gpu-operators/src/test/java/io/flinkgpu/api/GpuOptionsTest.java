package io.flinkgpu.api;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The limits of settings: the last value that is taken, and the first that is not.
 *
 * <p>Covers: GpuOptions.
 */
class GpuOptionsTest {

    @ParameterizedTest
    @ValueSource(ints = {0, -1, (1 << 24) + 1, Integer.MIN_VALUE})
    void rowsOfABatch(int rows) {
        assertThat(BatchPolicy.DEFAULT.withMaxRows(1).maxRows()).isEqualTo(1);
        assertThat(BatchPolicy.DEFAULT.withMaxRows(1 << 24).maxRows()).isEqualTo(1 << 24);
        assertThatThrownBy(() -> BatchPolicy.DEFAULT.withMaxRows(rows))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a batch has 1 to 16777216 rows: maxRows=" + rows);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, (1 << 28) + 1, Integer.MIN_VALUE})
    void bytesOfABatch(int bytes) {
        assertThat(BatchPolicy.DEFAULT.withMaxBytes(1).maxBytes()).isEqualTo(1);
        assertThat(BatchPolicy.DEFAULT.withMaxBytes(1 << 28).maxBytes()).isEqualTo(1 << 28);
        assertThatThrownBy(() -> BatchPolicy.DEFAULT.withMaxBytes(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a batch has 1 byte to 256 MiB: maxBytes=" + bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PT0S",
                "PT0.000999999S",
                "PT-1S",
                "PT10M0.000000001S",
                "PT2562047788015215H",
                "PT-2562047788015215H"
            })
    void delayOfABatch(Duration delay) {
        for (Duration taken : new Duration[] {Duration.ofMillis(1), Duration.ofMinutes(10)}) {
            assertThat(BatchPolicy.DEFAULT.withMaxDelay(taken).maxDelay()).isEqualTo(taken);
        }
        assertThatThrownBy(() -> BatchPolicy.DEFAULT.withMaxDelay(delay))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a batch waits 1 ms to 10 min: maxDelay=" + delay);
    }

    @Test
    void memory() {
        long least = 16 << 20;
        assertThat(GpuOptions.DEFAULT.withMemoryLimitBytes(least).memoryLimitBytes())
                .isEqualTo(least);
        assertThatThrownBy(() -> GpuOptions.DEFAULT.withMemoryLimitBytes(least - 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "an operator's columns need at least 16 MiB: memoryLimitBytes=16777215");
    }

    @Test
    void eachSettingIsChangedAlone() {
        HashKey key = HashKey.fromEnvironment("KEY");
        GpuOptions all =
                GpuOptions.DEFAULT
                        .withHashKey(key)
                        .withBackend(BackendChoice.CPU)
                        .withBatchPolicy(new BatchPolicy(1, 2, Duration.ofMillis(3)))
                        .withErrorDetail(ErrorDetail.HASHED)
                        .withMemoryLimitBytes(1L << 40);
        assertThat(all.hashKey()).containsSame(key);
        assertThat(all)
                .hasToString(
                        "GpuOptions[backend=CPU, batchPolicy=BatchPolicy[maxRows=1, maxBytes=2,"
                                + " maxDelay=PT0.003S], memoryLimitBytes=1099511627776,"
                                + " hashKey=environment variable 'KEY', errorDetail=HASHED]");
        assertThat(GpuOptions.DEFAULT.errorDetail()).isEqualTo(ErrorDetail.NONE);
        assertThat(GpuOptions.DEFAULT.hashKey()).isEmpty();
        assertThat(GpuOptions.DEFAULT.backend()).isEqualTo(BackendChoice.AUTO);
    }
}
