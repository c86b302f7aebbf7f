package io.flinkgpu.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

/** Made-up lines of services, about 140 bytes each; about one in twelve has something to redact. */
final class ServiceLogs {

    private static final int SECRET_EVERY_LINES = 12;

    /** Of a time, two small numbers and a large one, and what happened. */
    private static final String[] SHAPES = {
        "%1$s INFO  [worker-%2$d] com.example.orders.OrderService - order %4$d in state PACKED after %3$d ms: %5$s",
        "%1$s WARN  [http-nio-8080-exec-%2$d] com.example.web.Gateway - slow upstream shard-%3$d took %4$d us: %5$s",
        "shard-%3$d - - [%1$s] \"GET /api/v2/items/%4$d?page=%2$d HTTP/1.1\" 200 %4$d \"-\" \"Mozilla/5.0 Firefox/143.0\" %5$s",
        "{\"ts\":\"%1$s\",\"level\":\"info\",\"service\":\"billing\",\"took_ms\":%3$d,\"thread\":%2$d,\"msg\":\"%5$s\",\"invoice\":%4$d}",
        "%1$s ERROR db.ConnectionPool - connection lost, retry %2$d of 16 after %3$d ms, pool main, request %4$d: %5$s",
        "%1$s bastion sshd[%4$d]: pam_unix(sshd:session): session opened by (uid=%2$d), slot %3$d: %5$s",
        "%1$s DEBUG cache.Evictor - evicted %4$d entries of region orders-eu-west-%2$d in %3$d ms: %5$s"
    };

    private static final String[] EVENTS = {
        "cache refreshed, all entries current",
        "queue depth is back to normal",
        "threshold of 250 ms was crossed",
        "\u00dcberpr\u00fcfung f\u00fcr Filiale K\u00f6ln abgeschlossen",
        "feature flag new-pricing is off for this tenant",
        "compacted 3 segments into 1, 88% smaller"
    };

    private static final String[] SECRETS = {
        "invoice mailed to user%d@example.org",
        "client connected from 10.17.%d.25",
        "retrying with password=hunter%dXyZ after 401",
        "upstream call with Authorization: Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0%d",
        "dhcp lease renewed for 00:1b:44:11:3a:%02d",
        "order 3f2b8c1e-7d4a-4e5b-9c6d-1a2b3c4d5e%02d moved on"
    };

    private ServiceLogs() {}

    /** The same lines each time. */
    static byte[] lines(int count) {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String shape = SHAPES[random.nextInt(SHAPES.length)];
            text.append(
                            String.format(
                                    Locale.ROOT,
                                    shape,
                                    time(random),
                                    random.nextInt(16),
                                    random.nextInt(256),
                                    random.nextInt(1_000_000),
                                    event(i, random)))
                    .append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String event(int line, Random random) {
        if (line % SECRET_EVERY_LINES > 0) {
            return EVENTS[random.nextInt(EVENTS.length)];
        }
        return String.format(
                Locale.ROOT, SECRETS[random.nextInt(SECRETS.length)], random.nextInt(100));
    }

    private static String time(Random random) {
        return String.format(
                Locale.ROOT,
                "2026-03-%02dT%02d:%02d:%02d.%03dZ",
                1 + random.nextInt(28),
                random.nextInt(24),
                random.nextInt(60),
                random.nextInt(60),
                random.nextInt(1000));
    }
}
