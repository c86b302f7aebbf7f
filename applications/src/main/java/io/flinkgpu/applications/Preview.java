package io.flinkgpu.applications;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A few lines of the input before and after redaction, each showing a rule that the ones before it do
 * not. Not thread-safe.
 */
final class Preview {

    /**
     * A line before and after.
     *
     * @param beforeAt where the match of the rule that is shown starts in {@code before}
     * @param afterAt where its replacement starts in {@code after}
     */
    record Pair(String before, String after, int beforeAt, int afterAt) {}

    private static final int SCANNED_BYTES_PER_FILE = 1 << 18;
    private static final int MAX_LINE_BYTES = 4096;

    private final LineRedactor redactor;
    private final BitSet shownRules = new BitSet();
    private final List<Pair> pairs = new ArrayList<>();

    Preview(LineRedactor redactor) {
        this.redactor = redactor;
    }

    /** Looks through the start of each file until there are enough lines. */
    List<Pair> of(List<Path> files, int maxPairs) throws IOException {
        for (Path file : files) {
            int share = (maxPairs + files.size() - 1) / files.size();
            scan(file, Math.min(maxPairs, pairs.size() + share));
        }
        return List.copyOf(pairs);
    }

    private void scan(Path file, int maxPairs) throws IOException {
        byte[] bytes;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            bytes = in.readNBytes(SCANNED_BYTES_PER_FILE);
        }
        int start = 0;
        for (int end = 0; end < bytes.length && pairs.size() < maxPairs; end++) {
            if (bytes[end] == '\n') {
                if (end - start <= MAX_LINE_BYTES) {
                    redact(Arrays.copyOfRange(bytes, start, end));
                }
                start = end + 1;
            }
        }
    }

    private void redact(byte[] row) {
        LineRedactor.Redacted redacted = redactor.redact(row);
        LineRedactor.Match shown = null;
        for (LineRedactor.Match match : redacted.matches()) {
            if (shown == null && !shownRules.get(match.rule())) {
                shown = match;
            }
            shownRules.set(match.rule());
        }
        if (shown != null) {
            byte[] after = redacted.line();
            pairs.add(
                    new Pair(
                            printable(row, row.length),
                            printable(after, after.length),
                            printable(row, shown.beforeAt()).length(),
                            printable(after, shown.afterAt()).length()));
        }
    }

    /** The text without control characters, which would reach the terminal as commands. */
    private static String printable(byte[] row, int length) {
        return Printable.of(new String(row, 0, length, StandardCharsets.UTF_8));
    }
}
