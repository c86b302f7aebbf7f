package io.flinkgpu.backend.cuda.device;

import jcuda.driver.CUresult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Which of the driver's results cost the process.
 *
 * <p>Covers: CudaCheck.
 */
class CudaCheckTest {

    /** Those of which the driver says that the process must be ended, as numbers. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                4, 46, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 802,
                806, 810, 911, 999
            })
    void aLostContextIsFatal(int result) {
        assertThat(CudaCheck.isFatal(result)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                CUresult.CUDA_SUCCESS,
                CUresult.CUDA_ERROR_INVALID_VALUE,
                CUresult.CUDA_ERROR_OUT_OF_MEMORY,
                CUresult.CUDA_ERROR_NO_DEVICE,
                CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU,
                CUresult.CUDA_ERROR_NOT_PERMITTED,
                CUresult.CUDA_ERROR_NOT_READY
            })
    void whatLeavesTheContextIsNot(int result) {
        assertThat(CudaCheck.isFatal(result)).isFalse();
    }

    @Test
    void aLostContextHasGivenEverythingBack() {
        assertThatCode(
                        () ->
                                CudaCheck.checkRelease(
                                        CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE, "cuMemFree"))
                .doesNotThrowAnyException();
    }
}
