package io.flinkgpu.applications;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Logs of five made-up services, each with its own format, with every kind of secret in all of them.
 * The same seed and size give the same bytes. Not thread-safe.
 */
final class SampleLogs {

    private static final int SECRET_EVERY_LINES = 12;

    private static final List<Function<FakeSecrets, String>> PHRASES =
            Stream.of(FakeSecrets.PHRASES, FakeTokens.PHRASES).flatMap(List::stream).toList();

    private static final String[] PATHS = {
        "/api/v2/orders", "/api/v2/cart", "/healthz", "/static/app.9f31c2.js",
                "/search?q=blue+lamp",
        "/api/v2/profile", "/img/hero-2x.webp", "/checkout/confirm", "/metrics", "/login"
    };
    private static final String[] AGENTS = {
        "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/143.0",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15",
        "curl/8.9.1",
        "kube-probe/1.31"
    };
    private static final String[] EVENTS = {
        "cache refreshed in 41 ms, 1,204 entries",
        "queue depth back to normal",
        "request took longer than expected, threshold 250 ms",
        "Überprüfung für Filiale Köln abgeschlossen",
        "在庫を更新しました",
        "connection pool: active 7, idle 13, waiting 0",
        "feature flag new-pricing is off for this tenant",
        "compacted 3 segments into 1, 88% smaller"
    };
    private static final String[] EXCEPTIONS = {
        "java.net.SocketTimeoutException: Read timed out",
        "java.lang.IllegalStateException: order is already closed",
        "java.sql.SQLTransientConnectionException: pool main - no connection within 3000ms"
    };

    private final FakeSecrets values;
    private final StringBuilder line = new StringBuilder(512);
    private LocalDateTime time = LocalDateTime.of(2026, 3, 2, 8, 0);
    private int lines;

    private SampleLogs(long seed) {
        values = new FakeSecrets(seed);
    }

    /**
     * Writes one file a service.
     *
     * @param folder an existing folder
     * @param sizeBytes of all files together; each may end a line later
     */
    static void write(Path folder, long sizeBytes, long seed) throws IOException {
        Service[] services = Service.values();
        for (Service service : services) {
            Path file = folder.resolve(service.name().toLowerCase(Locale.ROOT) + ".log");
            try (OutputStream out =
                    new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
                new SampleLogs(seed + service.ordinal())
                        .write(service, out, sizeBytes / services.length);
            }
        }
    }

    private void write(Service service, OutputStream out, long sizeBytes) throws IOException {
        DateTimeFormatter format = DateTimeFormatter.ofPattern(service.timePattern, Locale.ROOT);
        String second = format.format(time);
        for (long written = 0; written < sizeBytes; lines++) {
            if (values.number(20) == 0) {
                time = time.plusSeconds(1);
                second = format.format(time);
            }
            line.setLength(0);
            service.writer.append(this, second);
            line.append('\n');
            byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
            out.write(bytes);
            written += bytes.length;
        }
    }

    /** What the service has to say: every so often a phrase with a secret, the kinds in turn. */
    private String message() {
        if (lines % SECRET_EVERY_LINES != 0) {
            return values.pick(EVENTS);
        }
        int kind = lines / SECRET_EVERY_LINES % PHRASES.size();
        return PHRASES.get(kind).apply(values);
    }

    private void nginx(String second) {
        line.append(values.ipv4()).append(" - - [").append(second);
        line.append("] \"GET ").append(values.pick(PATHS)).append(" HTTP/1.1\" ");
        line.append(values.number(20) == 0 ? 502 : 200).append(' ').append(values.number(90_000));
        line.append(" \"-\" \"").append(values.pick(AGENTS)).append('"');
        if (lines % SECRET_EVERY_LINES == 0) {
            line.append(" note=\"").append(message()).append('"');
        }
    }

    private void payments(String second) {
        line.append("{\"ts\":\"").append(second).append('.').append(100 + values.number(900));
        line.append("Z\",\"level\":\"").append(values.number(30) == 0 ? "WARN" : "INFO");
        line.append("\",\"service\":\"payments\",\"trace\":\"").append(values.hex(16));
        line.append("\",\"took_ms\":").append(values.number(400));
        line.append(",\"msg\":\"").append(message()).append("\"}");
    }

    private void gateway(String second) {
        int thread = values.number(16);
        if (values.number(25) == 0) {
            line.append(second).append(" ERROR [http-").append(thread).append("] GatewayFilter - ");
            line.append(message()).append('\n');
            if (values.number(8) == 0) {
                line.append("java.security.InvalidKeyException: cannot parse\n");
                for (String keyLine : values.privateKeyLines()) {
                    line.append(keyLine).append('\n');
                }
            } else {
                line.append(values.pick(EXCEPTIONS)).append('\n');
            }
            for (int depth = 3 + values.number(6); depth > 0; depth--) {
                line.append("\tat com.example.gateway.Stage").append(values.number(40));
                line.append(".apply(Stage.java:").append(10 + values.number(300)).append(")\n");
            }
            line.append("\t... ").append(20 + values.number(60)).append(" common frames omitted");
        } else {
            line.append(second).append(" INFO  [http-").append(thread).append("] OrderService - ");
            line.append(message());
        }
    }

    private void auth(String second) {
        line.append(second).append(" bastion sshd[").append(1000 + values.number(30_000));
        if (lines % SECRET_EVERY_LINES == 0) {
            line.append("]: ").append(message());
        } else if (values.number(6) == 0) {
            line.append("]: Accepted publickey for ").append(values.name()).append(" from ");
            line.append(values.ipv4()).append(" port ").append(1024 + values.number(60_000));
            line.append(" ssh2");
        } else {
            line.append("]: pam_unix(sshd:session): session closed for user ")
                    .append(values.name());
        }
    }

    private void kubelet(String second) {
        line.append("I").append(second).append(".").append(100_000 + values.number(900_000));
        line.append("    1 event.go:").append(100 + values.number(300)).append("] \"");
        line.append(message().replace("\"", "\\\"")).append("\" pod=\"shop/cart-");
        line.append(values.hex(8)).append("\" reason=\"");
        line.append(values.number(15) == 0 ? "BackOff" : "Pulled").append("\" count=");
        line.append(values.number(40));
    }

    private enum Service {
        NGINX("dd/MMM/yyyy:HH:mm:ss '+0000'", SampleLogs::nginx),
        PAYMENTS("yyyy-MM-dd'T'HH:mm:ss", SampleLogs::payments),
        GATEWAY("yyyy-MM-dd HH:mm:ss", SampleLogs::gateway),
        AUTH("MMM dd HH:mm:ss", SampleLogs::auth),
        KUBELET("MMdd HH:mm:ss", SampleLogs::kubelet);

        private final String timePattern;
        private final LineWriter writer;

        Service(String timePattern, LineWriter writer) {
            this.timePattern = timePattern;
            this.writer = writer;
        }
    }

    @FunctionalInterface
    private interface LineWriter {

        /** Appends a line, or a few, without the last line end. */
        void append(SampleLogs logs, String second);
    }
}
