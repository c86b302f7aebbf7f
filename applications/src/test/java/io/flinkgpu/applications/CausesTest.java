package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

import static org.assertj.core.api.Assertions.assertThat;

class CausesTest {

    @Test
    void theInnermostCauseIsTold() {
        assertThat(told(new IOException("disk full\nmore"))).isEqualTo("disk full");
        assertThat(told(new IOException())).isEqualTo("java.io.IOException");
    }

    @Test
    void aFileAloneIsNoReason() {
        assertThat(told(new NoSuchFileException("/a"))).isEqualTo("NoSuchFileException: /a");
        assertThat(told(new FileSystemException("/a", null, "is busy"))).isEqualTo("/a: is busy");
    }

    private static String told(Exception cause) {
        return Causes.oneLine(new IllegalStateException("outer", cause));
    }
}
