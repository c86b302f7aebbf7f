package io.flinkgpu.sql.planner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;

/** Files of random lines of events, about in the order of their time {@code ts}, for the connector {@code gpu-lines}. */
final class EventLines {

    /** Columns but the time {@code ts}, which is the last field; {@code n} is a line's number. */
    static final String SCHEMA =
            "n BIGINT, k STRING, k2 INT, k3 BIGINT, l BIGINT, de DECIMAL(9, 2), d18 DECIMAL(18, 4), d DOUBLE,"
                    + " t3 TIMESTAMP(3)";

    private static final List<String> KEYS =
            List.of("", "a", "seven77", "eight888", "a longer key than that", "é", "😀", "\"a;b\"");

    private static final List<String> DOUBLES =
            List.of("0", "-0.0", "0.1", "1e-300", "-1e300", "-1", "");

    private final Random random;

    EventLines(Random random) {
        this.random = random;
    }

    /**
     * Writes a file of lines.
     *
     * @param from the number of the first line
     * @param stepMillis from a line to the next one
     * @param lateMillis how much later a line may come than others after it
     */
    void write(Path file, int from, int lines, Instant base, long stepMillis, int lateMillis)
            throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < from + lines; i++) {
            Instant time =
                    base.plusMillis(i * stepMillis - random.nextInt(lateMillis + 1))
                            .truncatedTo(ChronoUnit.MILLIS);
            text.append(i)
                    .append(';')
                    .append(any(KEYS))
                    .append(';')
                    .append(number(Integer.MAX_VALUE))
                    .append(';')
                    .append(number(Long.MAX_VALUE))
                    .append(';')
                    .append(number(Long.MAX_VALUE))
                    .append(';')
                    .append(decimal("9999999.99"))
                    .append(';')
                    .append(decimal("99999999999999.9999"))
                    .append(';')
                    .append(any(DOUBLES))
                    .append(';')
                    .append(Instant.EPOCH.plusSeconds(1000L * random.nextInt(4)))
                    .append(';')
                    .append(time)
                    .append(random.nextInt(10) == 0 ? "\r\n" : "\n");
        }
        // Readers that look for new files must not see half of one.
        Path unfinished = file.resolveSibling("." + file.getFileName());
        Files.writeString(unfinished, text);
        Files.move(unfinished, file);
    }

    private String number(long max) {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> Long.toString(max);
            case 2 -> Long.toString(-max - 1);
            default -> Integer.toString(random.nextInt(6));
        };
    }

    private String decimal(String max) {
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> max;
            case 2 -> "-" + max;
            default -> random.nextInt(5) + ".5";
        };
    }

    private String any(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }
}
