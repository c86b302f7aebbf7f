package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.Combiner;
import io.flinkgpu.api.lookup.EmbeddingTable;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes and lookups: lines of fields with tabs between.
 *
 * <pre>
 *   P table id elements            inserts or replaces a vector
 *   X table id                     deletes one, if it is there
 *   L name table combiner ids      looks up
 * </pre>
 */
final class LookupFormat implements LineFormat<LookupOperation> {

    private static final long serialVersionUID = 1L;

    private static final int PUT_FIELDS = 4;
    private static final int DELETE_FIELDS = 3;
    private static final int LOOKUP_FIELDS = 5;
    private static final long[] NO_IDS = {};

    private final Map<String, EmbeddingTable> tables = new HashMap<>();

    LookupFormat(List<EmbeddingTable> tables) {
        tables.forEach(table -> this.tables.put(table.name(), table));
    }

    @Override
    public Reader<LookupOperation> open() {
        return this::read;
    }

    private LookupOperation read(long line, byte[] bytes, int from, int to) {
        int tabs = 0;
        int last = from;
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\t') {
                tabs++;
                last = at + 1;
            }
        }
        char kind = to - from > 1 && bytes[from + 1] == '\t' ? (char) bytes[from] : 0;
        String[] head = text(bytes, from, Math.max(from, last - 1)).split("\t", -1);
        if (kind == 'L' && tabs == LOOKUP_FIELDS - 1) {
            return LookupOperation.lookup(
                    line, head[1], table(head[2]).name(), combiner(head[3]), ids(bytes, last, to));
        } else if (kind == 'P' && tabs == PUT_FIELDS - 1) {
            EmbeddingTable table = table(head[1]);
            byte[] elements = elements(table, bytes, last, to);
            return LookupOperation.change(line, table.name(), id(head[2]), elements);
        } else if (kind == 'X' && tabs == DELETE_FIELDS - 1) {
            long id = id(text(bytes, last, to));
            return LookupOperation.change(line, table(head[1]).name(), id, null);
        }
        throw new IllegalArgumentException(
                "an operation is P with 3 more fields, X with 2 or L with 4, a tab between any two;"
                        + " see --help");
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private EmbeddingTable table(String name) {
        EmbeddingTable table = tables.get(name);
        if (table == null) {
            throw new IllegalArgumentException(
                    "the table of an operation is one of the file of tables, of which none has this"
                            + " name; add it there, or correct the name");
        }
        return table;
    }

    private static Combiner combiner(String text) {
        return switch (text) {
            case "none" -> Combiner.NONE;
            case "sum" -> Combiner.SUM;
            case "mean" -> Combiner.MEAN;
            case "max" -> Combiner.MAX;
            default ->
                    throw new IllegalArgumentException(
                            "the fourth field of a lookup is none, sum, mean or max; write one of"
                                    + " them");
        };
    }

    private static long id(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "an id is a whole number of 64 bits, with its sign; correct it");
        }
    }

    private static long[] ids(byte[] bytes, int from, int to) {
        if (from == to) {
            return NO_IDS;
        }
        long[] ids = new long[1 + count(bytes, from, to)];
        int next = from;
        for (int i = 0; i < ids.length; i++) {
            int end = end(bytes, next, to);
            ids[i] = id(text(bytes, next, end));
            next = end + 1;
        }
        return ids;
    }

    private static byte[] elements(EmbeddingTable table, byte[] bytes, int from, int to) {
        int elementBytes = table.type().bytes();
        byte[] elements = new byte[table.vectorBytes()];
        int count = 1 + count(bytes, from, to);
        if (count != table.dimension()) {
            throw new IllegalArgumentException(
                    "a vector has as many elements as its table's dimension: elements="
                            + count
                            + ", dimension="
                            + table.dimension()
                            + "; write all of them");
        }
        int next = from;
        for (int i = 0; i < count; i++) {
            int end = end(bytes, next, to);
            long bits = HexBits.read(bytes, next, end, 2 * elementBytes);
            if (bits < 0) {
                throw new IllegalArgumentException(
                        "an element is "
                                + 2 * elementBytes
                                + " hexadecimal digits, and element "
                                + (i + 1)
                                + " is something else; correct it");
            }
            for (int k = 0; k < elementBytes; k++) {
                elements[i * elementBytes + k] = (byte) (bits >>> Byte.SIZE * k);
            }
            next = end + 1;
        }
        return elements;
    }

    /** How many commas there are. */
    private static int count(byte[] bytes, int from, int to) {
        int commas = 0;
        for (int at = from; at < to; at++) {
            commas += bytes[at] == ',' ? 1 : 0;
        }
        return commas;
    }

    /** Where the next comma is, or the end. */
    private static int end(byte[] bytes, int from, int to) {
        int comma = LineCounts.indexOf(bytes, from, to, (byte) ',');
        return comma < 0 ? to : comma;
    }
}
