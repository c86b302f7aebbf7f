package io.flinkgpu.program;

import org.apache.flink.annotation.Internal;

/**
 * Appends the keyed hashes of a text column; a null row stays null. The key is not part of the program
 * and never reaches a device.
 *
 * @param column its number among the columns there are
 */
@Internal
public record HashStep(int column) implements Step {

    private static final long serialVersionUID = 1L;
}
