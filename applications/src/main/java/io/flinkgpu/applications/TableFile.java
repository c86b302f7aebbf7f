package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Missing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tables, a line each: {@code T}, name, dimension, type of the elements, and what a missing id gives; tabs
 * between.
 */
final class TableFile {

    private static final String TABLE = "T";
    private static final int FIELDS = 5;
    private static final String CONSTANT = "const:";
    private static final Pattern LINE_END = Pattern.compile("\r?\n");

    private TableFile() {}

    /**
     * Reads a file.
     *
     * @throws UsageException if there is no table in it
     * @throws MalformedException if a line is none, with file, line and reason
     */
    static List<EmbeddingTable> read(Path file) throws IOException, UsageException {
        List<EmbeddingTable> tables = new ArrayList<>();
        Set<String> names = new HashSet<>();
        // Names are compared byte by byte with those of operations, and may have a '\r' like
        // theirs.
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        String[] lines = text.isEmpty() ? new String[0] : LINE_END.split(text, -1);
        int count = text.endsWith("\n") ? lines.length - 1 : lines.length;
        for (int number = 0; number < count; number++) {
            try {
                EmbeddingTable table = table(lines[number]);
                if (!names.add(table.name())) {
                    throw new IllegalArgumentException(
                            "there is a table with this name before; give each its own");
                }
                tables.add(table);
            } catch (IllegalArgumentException e) {
                throw MalformedException.of(file.toString(), number, e.getMessage());
            }
        }
        if (tables.isEmpty()) {
            throw new UsageException("tables '" + file + "' has no line: describe a table");
        }
        return tables;
    }

    private static EmbeddingTable table(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS || !fields[0].equals(TABLE)) {
            throw new IllegalArgumentException(
                    "a table is T, a name, a dimension, a type and what a missing id gives, a tab"
                            + " between any two; see --help");
        }
        int dimension;
        try {
            dimension = Integer.parseInt(fields[2]);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the dimension, the third field of a table, is a whole number; correct it");
        }
        if (fields[1].isEmpty() || dimension < 1 || dimension > EmbeddingTable.MAX_DIMENSION) {
            throw new IllegalArgumentException(
                    "a table has a name and a dimension from 1 to "
                            + EmbeddingTable.MAX_DIMENSION
                            + "; correct it");
        }
        return EmbeddingTable.of(fields[1], dimension, type(fields[3]))
                .withMissing(missing(fields[4]));
    }

    private static ElementType type(String text) {
        return switch (text) {
            case "f32" -> ElementType.F32;
            case "f16" -> ElementType.F16;
            case "bf16" -> ElementType.BF16;
            default ->
                    throw new IllegalArgumentException(
                            "the type, the fourth field of a table, is f32, f16 or bf16; write one"
                                    + " of them");
        };
    }

    private static Missing missing(String text) {
        if (text.equals("zero")) {
            return Missing.zeros();
        } else if (text.equals("skip")) {
            return Missing.skip();
        } else if (text.startsWith(CONSTANT)) {
            byte[] bits = text.substring(CONSTANT.length()).getBytes(StandardCharsets.ISO_8859_1);
            long value = HexBits.read(bits, 0, bits.length, 2 * Float.BYTES);
            if (value >= 0) {
                return Missing.constant(Float.intBitsToFloat((int) value));
            }
        }
        throw new IllegalArgumentException(
                "what a missing id gives, the fifth field of a table, is zero, skip, or const: with 8"
                        + " hexadecimal digits; write one of them");
    }
}
