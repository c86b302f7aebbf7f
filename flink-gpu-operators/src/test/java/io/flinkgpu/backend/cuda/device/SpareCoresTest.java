package io.flinkgpu.backend.cuda.device;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SpareCoresTest {

    @Test
    void theThreadsOfAllBackendsAndTheirTasksFitOntoTheCores() throws Exception {
        SpareCores cores = new SpareCores(5);
        AutoCloseable first = cores.enter();
        assertThat(cores.areThere()).isTrue();
        AutoCloseable second = cores.enter();
        assertThat(cores.areThere()).isTrue();
        AutoCloseable third = cores.enter();
        assertThat(cores.areThere()).isFalse();
        second.close();
        assertThat(cores.areThere()).isTrue();
        first.close();
        third.close();
    }

    @Test
    void aCoreAloneIsNeverToSpare() {
        SpareCores cores = new SpareCores(1);
        cores.enter();
        assertThat(cores.areThere()).isFalse();
    }
}
