package io.flinkgpu.applications;

import io.flinkgpu.api.AggregateValues;
import io.flinkgpu.api.WindowResult;

/**
 * The temperatures of one sensor in one window, and its humidity.
 *
 * @param windows which windows: the title of their table
 * @param humidity the mean; null if it was not measured in the window
 */
public record WindowRow(
        String windows,
        long startMillis,
        long endMillis,
        String sensor,
        long count,
        double min,
        double mean,
        double max,
        Double humidity) {

    static WindowRow of(String windows, WindowResult<String> result) {
        AggregateValues values = result.values();
        return new WindowRow(
                windows,
                result.startMillis(),
                result.endMillis(),
                result.key(),
                values.getLong("temperature_count"),
                values.getDouble("temperature_min"),
                values.getDouble("temperature_mean"),
                values.getDouble("temperature_max"),
                (Double) values.get("humidity_mean"));
    }
}
