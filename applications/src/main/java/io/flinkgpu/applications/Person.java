package io.flinkgpu.applications;

/**
 * An entry of a made-up register.
 *
 * @param visibility {@code public}, or who else may see the name
 */
public record Person(long number, String name, String visibility) {}
