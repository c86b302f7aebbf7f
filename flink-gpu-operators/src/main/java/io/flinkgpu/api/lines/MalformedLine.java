package io.flinkgpu.api.lines;

/**
 * A line that does not have the fields of its format.
 *
 * @param file where it is
 * @param offsetBytes of its first byte in the file
 * @param line its bytes, without its end
 * @param reason one line that names the field and what is wrong with it
 */
public record MalformedLine(String file, long offsetBytes, byte[] line, String reason) {}
