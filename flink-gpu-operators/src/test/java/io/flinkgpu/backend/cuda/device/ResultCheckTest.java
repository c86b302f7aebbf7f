package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.FatalDeviceException;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: ResultCheck.
 */
class ResultCheckTest {

    private final RootAllocator allocator = new RootAllocator();

    @AfterEach
    void closeAllocator() {
        allocator.close();
    }

    @Test
    void offsetsRiseFromZeroToTheEnd() throws Exception {
        requireOffsets(0, 0, 0);
        requireOffsets(0, 10, 0, 3, 3, 10);
        requireOffsets(1, 10, 0, 3, 4, 10);
        requireOffsets(0, Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
    }

    @Test
    void offsetsThatReadOtherMemoryAreRefused() {
        assertRefused(0, 10, 1, 10);
        assertRefused(0, 10, 0, 7, 3, 10);
        assertRefused(0, 10, 0, 11, 10);
        assertRefused(0, 10, 0, -1, 10);
        assertRefused(0, 10, 0, 9);
        assertRefused(0, 10, 0, 11);
        assertRefused(0, 10, 0, Integer.MIN_VALUE, Integer.MAX_VALUE, 10);
        // A row with a separator has at least that.
        assertRefused(1, 10, 0, 3, 3, 10);
    }

    /** Any one bit. */
    @Test
    void aFlippedBitIsNoticedOrReadsNothingElse() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            int rows = 1 + random.nextInt(20);
            int[] offsets = new int[rows + 1];
            for (int row = 1; row <= rows; row++) {
                offsets[row] = offsets[row - 1] + random.nextInt(1000);
            }
            int dataBytes = offsets[rows];
            int flipped = random.nextInt(rows + 1);
            offsets[flipped] ^= 1 << random.nextInt(32);
            try {
                requireOffsets(0, dataBytes, offsets);
            } catch (FatalDeviceException e) {
                continue;
            }
            for (int row = 0; row < rows; row++) {
                assertThat(offsets[row + 1]).as("seed " + seed).isBetween(offsets[row], dataBytes);
            }
        }
    }

    @Test
    void theErrorNamesNumbersAndRemedy() {
        assertThatThrownBy(() -> requireOffsets(0, 10, 0, 7, 3, 10))
                .isInstanceOf(FatalDeviceException.class)
                .hasMessage(
                        "wrong in a result: the offsets of test rows: rows=3, first=0, rising=false,"
                                + " last=10, dataBytes=10; the device gave back something else than"
                                + " the result of the batch: look for its errors with nvidia-smi -q"
                                + " and dmesg, and use another one");
    }

    @Test
    void placesRiseStrictlyAndEndBeforeTheEnd() throws Exception {
        requireRising(10);
        requireRising(10, 0, 3, 9);
        assertThatThrownBy(() -> requireRising(10, 0, 3, 3)).hasMessageContaining("index=2");
        assertThatThrownBy(() -> requireRising(10, 0, 10)).hasMessageContaining("found=10");
        assertThatThrownBy(() -> requireRising(10, -1)).hasMessageContaining("found=-1");
    }

    @Test
    void aBatchHasItsOwnNumber() {
        assertThatCode(() -> ResultCheck.requireNumber(-3, -3)).doesNotThrowAnyException();
        assertThatThrownBy(() -> ResultCheck.requireNumber(7, 6))
                .isInstanceOf(FatalDeviceException.class)
                .hasMessageStartingWith(
                        "wrong in a result: the number of a batch: expected=7, found=6; ");
    }

    @Test
    void numbersAreWithinTheirLimits() {
        assertThatCode(() -> ResultCheck.requireBetween("x", 0, 5, 5)).doesNotThrowAnyException();
        assertThatThrownBy(() -> ResultCheck.requireBetween("x", 0, 5, 6))
                .hasMessageStartingWith("wrong in a result: x: least=0, most=5, found=6; ");
        assertThatThrownBy(() -> ResultCheck.requireBetween("x", 0, 5, -1))
                .isInstanceOf(FatalDeviceException.class);
    }

    private void assertRefused(int separatorBytes, long dataBytes, int... offsets) {
        assertThatThrownBy(() -> requireOffsets(separatorBytes, dataBytes, offsets))
                .isInstanceOf(FatalDeviceException.class);
    }

    private void requireOffsets(int separatorBytes, long dataBytes, int... offsets)
            throws FatalDeviceException {
        try (ArrowBuf buffer = buffer(offsets)) {
            ResultCheck.requireOffsets(
                    "test rows",
                    buffer.memoryAddress(),
                    offsets.length - 1,
                    separatorBytes,
                    dataBytes);
        }
    }

    private void requireRising(long end, int... places) throws FatalDeviceException {
        try (ArrowBuf buffer = buffer(places)) {
            ResultCheck.requireRising("places", buffer.memoryAddress(), places.length, end);
        }
    }

    private ArrowBuf buffer(int[] numbers) {
        ArrowBuf buffer = allocator.buffer(Math.max(1, 4L * numbers.length));
        for (int i = 0; i < numbers.length; i++) {
            buffer.setInt(4L * i, numbers[i]);
        }
        return buffer;
    }
}
