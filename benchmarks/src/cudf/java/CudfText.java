import ai.rapids.cudf.CaptureGroups;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.RegexProgram;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Redaction by regular expressions, and the transform of names by libcudf's general string calls: the
 * five of NVIDIA's article "Mastering String Transformations in RAPIDS libcudf".
 *
 * <p>A column of strings is two files: {@code NAME.offsets} of int32 in the machine's order, one more
 * than there are rows, and {@code NAME.data}.
 */
final class CudfText {

    private static final int OFFSET_BYTES = 4;
    private static final String LABEL = "[REDACTED]";

    /** Calls of a millisecond are timed so many times as often. */
    private static final int REPEATS_OF_SHORT = 20;

    private CudfText() {}

    /**
     * Reads {@code lines} and {@code rules.txt}, a regular expression a line. Prints {@code accepted} and
     * the positions of those that libcudf takes, and writes {@code sequence}: one rule after the other, which is faster
     * there than one alternation of them.
     */
    static void redact(Path folder, int runs) throws Exception {
        List<String> all = Files.readAllLines(folder.resolve("rules.txt"));
        List<Integer> accepted = accepted(all);
        System.out.println(
                "accepted "
                        + accepted.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        List<RegexProgram> sequence = accepted.stream().map(rule -> program(all.get(rule))).toList();
        try (ColumnVector lines = read(folder, "lines");
                Scalar label = Scalar.fromString(LABEL)) {
            CudfPeer.time("sequence", runs, () -> redacted(lines, sequence, label));
            try (ColumnVector result = redacted(lines, sequence, label)) {
                write(folder, "sequence", result);
            }
        }
    }

    private static RegexProgram program(String regex) {
        return new RegexProgram(regex, CaptureGroups.NON_CAPTURE);
    }

    /** One after the other, each on what the one before left. */
    private static ColumnVector redacted(
            ColumnVector lines, List<RegexProgram> programs, Scalar label) {
        ColumnVector result = lines.incRefCount();
        for (RegexProgram program : programs) {
            try (ColumnVector before = result) {
                result = before.replaceRegex(program, label);
            }
        }
        return result;
    }

    private static List<Integer> accepted(List<String> rules) {
        List<Integer> accepted = new ArrayList<>();
        try (ColumnVector line = ColumnVector.fromStrings("a line");
                Scalar label = Scalar.fromString(LABEL)) {
            for (int i = 0; i < rules.size(); i++) {
                try {
                    line.replaceRegex(program(rules.get(i)), label).close();
                    accepted.add(i);
                } catch (RuntimeException e) {
                    String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
                    System.out.println("refused " + i + ": " + reason);
                }
            }
        }
        return accepted;
    }

    /** Reads {@code name} and {@code visibility}, writes {@code names}. */
    static void names(Path folder, int runs) throws Exception {
        try (ColumnVector name = read(folder, "name");
                ColumnVector visibility = read(folder, "visibility")) {
            try (ColumnVector result = redacted(name, visibility)) {
                write(folder, "names", result);
            }
            CudfPeer.time("names", runs * REPEATS_OF_SHORT, () -> redacted(name, visibility));
        }
    }

    private static ColumnVector redacted(ColumnVector name, ColumnVector visibility) {
        try (Scalar wanted = Scalar.fromString("public");
                Scalar redaction = Scalar.fromString("X X");
                Scalar space = Scalar.fromString(" ");
                Scalar nothing = Scalar.fromString("");
                ColumnVector allowed = visibility.stringContains(wanted);
                Table parts = name.stringSplit(" ");
                ColumnVector initial = parts.getColumn(1).substring(0, 1);
                ColumnVector shown =
                        ColumnVector.stringConcatenate(
                                space, nothing, new ColumnView[] {initial, parts.getColumn(0)})) {
            return allowed.ifElse(shown, redaction);
        }
    }

    private static ColumnVector read(Path folder, String name) throws IOException {
        HostMemoryBuffer offsets = mapped(folder.resolve(name + ".offsets").toFile());
        HostMemoryBuffer data = mapped(folder.resolve(name + ".data").toFile());
        long rows = offsets.getLength() / OFFSET_BYTES - 1;
        try (HostColumnVector host =
                new HostColumnVector(DType.STRING, rows, Optional.of(0L), data, null, offsets)) {
            return host.copyToDevice();
        }
    }

    private static HostMemoryBuffer mapped(File file) throws IOException {
        return HostMemoryBuffer.mapFile(file, MapMode.READ_ONLY, 0, file.length());
    }

    private static void write(Path folder, String name, ColumnVector column) throws IOException {
        try (HostColumnVector host = column.copyToHost()) {
            if (host.hasNulls()) {
                throw new IllegalStateException("a result has nulls: " + name);
            }
            long end = host.getEndListOffset(host.getRowCount() - 1);
            write(folder.resolve(name + ".data"), host.getData(), end);
            write(
                    folder.resolve(name + ".offsets"),
                    host.getOffsets(),
                    OFFSET_BYTES * (host.getRowCount() + 1));
        }
    }

    private static void write(Path file, HostMemoryBuffer buffer, long bytes) throws IOException {
        byte[] copy = new byte[Math.toIntExact(bytes)];
        buffer.getBytes(copy, 0, 0, bytes);
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(copy);
        }
    }
}
