package io.flinkgpu.backend.cuda.device;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: SpinPolicy.
 */
class SpinPolicyTest {

    @Test
    void theThreadsOfAllBackendsAndTheirTasksFitOntoTheCores() {
        SpinPolicy policy = new SpinPolicy(5);
        policy.enter();
        assertThat(policy.maySpin()).isTrue();
        policy.enter();
        assertThat(policy.maySpin()).isTrue();
        policy.enter();
        assertThat(policy.maySpin()).isFalse();
        policy.leave();
        assertThat(policy.maySpin()).isTrue();
    }

    @Test
    void aCoreAloneIsNeverToSpare() {
        SpinPolicy policy = new SpinPolicy(1);
        policy.enter();
        assertThat(policy.maySpin()).isFalse();
    }
}
