package io.flinkgpu.applications;

/**
 * What a sensor measured.
 *
 * @param timeMillis when, since the epoch
 * @param temperature degrees Celsius
 * @param humidity percent; null if the sensor has not measured it this time
 */
public record Reading(String sensor, long timeMillis, double temperature, Integer humidity) {}
