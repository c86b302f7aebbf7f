package io.flinkgpu.api;

/**
 * A record that could not be aggregated.
 *
 * @param reason one line that names the field, the value and the key
 */
public record DeadLetter<T>(T record, String reason) {}
