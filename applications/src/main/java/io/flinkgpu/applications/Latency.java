package io.flinkgpu.applications;

import java.math.BigDecimal;

/**
 * How long something took, as a line of a log tells it.
 *
 * @param timeMillis when the line was written, since the epoch
 * @param millis the latency, to the nanosecond
 */
public record Latency(String service, long timeMillis, BigDecimal millis) {}
