package io.flinkgpu.windows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Random events: several channels, each with its own time, and timestamps next to windows' edges. */
final class Happenings {

    private final Plan<?> plan;
    private final Random random;
    private final Readings readings;
    private final boolean idles;
    private final boolean restarts;
    private final int sensors;
    private final int disorderMillis;
    private final long[] nowMillis;
    private final long[] watermarks;
    private final boolean[] idle;
    private final List<Event> events = new ArrayList<>();
    private long clockMillis;

    Happenings(Plan<?> plan, int channels, Random random) {
        this.plan = plan;
        this.random = random;
        readings = new Readings(random, random.nextInt(4) == 0);
        idles = random.nextInt(4) == 0;
        restarts = random.nextInt(3) == 0;
        sensors = random.nextBoolean() ? 1 + random.nextInt(2) : KeyKind.SENSORS;
        disorderMillis = 1 + random.nextInt(3 * (int) plan.shape().sizeMillis());
        nowMillis = new long[channels];
        watermarks = new long[channels];
        idle = new boolean[channels];
        long start = start();
        Arrays.fill(nowMillis, start);
        Arrays.fill(watermarks, Long.MIN_VALUE);
    }

    private long start() {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> 0;
            case 3, 4, 5 -> -random.nextInt(1000);
            case 10 -> atTheEnds() ? Long.MAX_VALUE - random.nextInt(2000) : 0;
            case 11 -> atTheEnds() ? Long.MIN_VALUE + random.nextInt(2000) : 0;
            default -> 1_700_000_000_000L + random.nextInt(1000);
        };
    }

    /** Whether Flink's own windows work where time begins and ends. */
    private boolean atTheEnds() {
        return switch (plan.shape().kind()) {
            // Its sessions fail, and its sliding windows step back for ever.
            case SESSION, SLIDING, SLIDING_UNEVEN, SLIDING_GAPS -> false;
            default -> true;
        };
    }

    List<Event> events() {
        int count = 10 + random.nextInt(140);
        while (events.size() < count) {
            next(random.nextInt(nowMillis.length));
        }
        if (random.nextInt(5) > 0) {
            for (int channel = 0; channel < nowMillis.length; channel++) {
                activate(channel);
                events.add(new Event.Watermark(channel, Long.MAX_VALUE));
            }
            events.add(new Event.End());
        } else {
            events.add(new Event.Checkpoint());
        }
        return events;
    }

    private void next(int channel) {
        int dice = random.nextInt(100);
        if (dice < 72) {
            arrive(channel);
        } else if (dice < 88) {
            watermark(channel);
        } else if (dice < 91) {
            clockMillis += random.nextInt(10);
            events.add(new Event.Clock(clockMillis));
        } else if (dice < 94) {
            events.add(new Event.Mails());
        } else if (dice < 97) {
            if (idles) {
                idle[channel] = !idle[channel];
                events.add(new Event.Status(channel, idle[channel]));
            }
        } else if (restarts && random.nextBoolean()) {
            Arrays.fill(idle, false);
            int[] parallelisms = {1, 1, 2, 4};
            events.add(
                    new Event.Restart(
                            parallelisms[random.nextInt(parallelisms.length)],
                            plan.swappable() && random.nextBoolean(),
                            random.nextInt(3) == 0));
        } else {
            events.add(new Event.Checkpoint());
        }
    }

    private void arrive(int channel) {
        nowMillis[channel] += random.nextInt(5) == 0 ? random.nextInt(2 * disorderMillis) : 0;
        long timestamp = nowMillis[channel] + random.nextInt(2 * disorderMillis) - disorderMillis;
        if (random.nextInt(3) == 0) {
            timestamp = edge(timestamp) + random.nextInt(3) - 1;
        }
        if (random.nextInt(20) == 0) {
            timestamp -= 10L * disorderMillis;
        }
        timestamp = Math.max(timestamp, Long.MIN_VALUE + 1);
        int repeats = random.nextInt(8) == 0 ? 3 : 1;
        for (int i = 0; i < repeats; i++) {
            String sensor = "s" + random.nextInt(sensors);
            Reading reading = readings.of(sensor);
            reading.time = timestamp;
            events.add(new Event.Arrives(channel, reading, timestamp, false));
        }
        if (plan.deadLetters() && random.nextInt(6) == 0) {
            arriveBad(channel, timestamp);
        }
        if (!plan.shape().assigner().isEventTime() && random.nextInt(6) == 0) {
            Reading reading = readings.of("s" + random.nextInt(sensors));
            events.add(new Event.Arrives(channel, reading, Long.MIN_VALUE, false));
        }
    }

    private void arriveBad(int channel, long timestamp) {
        Reading reading = readings.of("s" + random.nextInt(sensors));
        long arrival = timestamp;
        switch (random.nextInt(plan.shape().assigner().isEventTime() ? 3 : 2)) {
            case 0 -> reading.sensor = null;
            case 1 -> {
                if (!plan.query().reads(Column.PRICE)) {
                    return;
                }
                reading.price = readings.badPrice();
            }
            default -> arrival = Long.MIN_VALUE;
        }
        events.add(new Event.Arrives(channel, reading, arrival, true));
    }

    private void watermark(int channel) {
        long mark = nowMillis[channel] - random.nextInt(disorderMillis);
        if (random.nextBoolean()) {
            mark = edge(mark) + random.nextInt(3) - 2;
        }
        if (mark > watermarks[channel]) {
            watermarks[channel] = mark;
            activate(channel);
            events.add(new Event.Watermark(channel, mark));
        }
        nowMillis[channel] += random.nextInt(disorderMillis);
    }

    private void activate(int channel) {
        if (idle[channel]) {
            idle[channel] = false;
            events.add(new Event.Status(channel, false));
        }
    }

    private long edge(long timestamp) {
        long edges = plan.shape().edgesMillis();
        long starts =
                Math.floorDiv(timestamp - plan.shape().offsetMillis(), edges) * edges
                        + plan.shape().offsetMillis();
        return random.nextBoolean() ? starts : starts + plan.shape().sizeMillis();
    }
}
