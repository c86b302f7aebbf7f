package io.flinkgpu.applications;

import org.apache.flink.util.SerializedThrowable;

import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Causes.
 */
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

    /** Flink sends Arrow's exception, and those around it, as text. */
    @Test
    void whatThereIsNoMemoryForIsTold() {
        Exception arrows = new OutOfMemoryException("Unable to allocate buffer");
        Exception wrapped = new IllegalStateException("no memory; raise it", arrows);
        assertThat(told(wrapped)).isEqualTo("no memory; raise it");
        assertThat(told(new SerializedThrowable(wrapped))).isEqualTo("no memory; raise it");
    }

    private static String told(Exception cause) {
        return Causes.oneLine(new IllegalStateException("outer", cause));
    }
}
