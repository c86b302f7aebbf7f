package io.flinkgpu.applications;

import org.apache.flink.api.common.functions.MapFunction;

import java.time.Instant;
import java.util.Locale;

/**
 * Readings of made-up sensors by number: the same number gives the same reading, so the stream is the
 * same each time and after a restart. They are up to four seconds out of order; one in a thousand is
 * up to forty seconds after; and in the second half one in ten thousand is of the day before.
 */
final class Readings implements MapFunction<Long, Reading> {

    static final long START_MILLIS = Instant.parse("2026-03-02T08:00:00Z").toEpochMilli();

    private static final long serialVersionUID = 1L;

    private static final int PER_MILLISECOND = 10;
    private static final long DAY_MILLIS = 86_400_000;

    private final long rows;
    private final String[] sensors;

    /**
     * @param rows how many there are
     */
    Readings(long rows, int sensors) {
        this.rows = rows;
        this.sensors = new String[sensors];
        int digits = Integer.toString(sensors).length();
        for (int i = 0; i < sensors; i++) {
            this.sensors[i] = String.format(Locale.ROOT, "sensor-%0" + digits + "d", i + 1);
        }
    }

    @Override
    public Reading map(Long number) {
        long bits = SplitMix.mix(number);
        int sensor = (int) Long.remainderUnsigned(bits, sensors.length);
        long more = SplitMix.mix(bits);
        int tenths = 120 + sensor % 80 + (int) (more & 0x7f) - 64;
        Integer humidity = (more >>> 7 & 7) == 0 ? null : 30 + (int) (more >>> 10 & 0x3f);
        return new Reading(
                sensors[sensor], timeMillis(number, more >>> 16), tenths / 10.0, humidity);
    }

    private long timeMillis(long number, long random) {
        long onTime = START_MILLIS + number / PER_MILLISECOND;
        if (number >= rows / 2 && number % 10_000 == 9_999) {
            return onTime - DAY_MILLIS;
        }
        long behindMillis = number % 1_000 == 500 ? 20_000 + random % 20_000 : random % 4_000;
        return Math.max(START_MILLIS, onTime - behindMillis);
    }
}
