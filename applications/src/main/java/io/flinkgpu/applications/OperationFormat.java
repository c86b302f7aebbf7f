package io.flinkgpu.applications;

import java.nio.charset.StandardCharsets;

/**
 * Changes and queries: lines of fields with tabs between.
 *
 * <pre>
 *   U id elements                       inserts or replaces a document
 *   D id                                deletes one, if it is there
 *   Q name k minScore withZero elements asks; withZero is 0 or 1
 * </pre>
 */
final class OperationFormat implements SetFormat {

    private static final long serialVersionUID = 1L;

    private static final int UPSERT_FIELDS = 3;
    private static final int DELETE_FIELDS = 2;
    private static final int QUERY_FIELDS = 6;

    @Override
    public SearchOperation read(long line, byte[] bytes, int from, int to, ElementReader sets) {
        int tabs = 0;
        int last = from;
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\t') {
                tabs++;
                last = at + 1;
            }
        }
        char kind = last - from > 1 && bytes[from + 1] == '\t' ? (char) bytes[from] : 0;
        if (kind == 'Q' && tabs == QUERY_FIELDS - 1) {
            return query(line, text(bytes, from, last), sets.read(bytes, last, to));
        } else if (kind == 'U' && tabs == UPSERT_FIELDS - 1) {
            long id = id(text(bytes, from + 2, last - 1));
            return SetFormat.change(line, id, sets.read(bytes, last, to));
        } else if (kind == 'D' && tabs == DELETE_FIELDS - 1) {
            return SearchOperation.delete(line, id(text(bytes, last, to)));
        }
        throw new IllegalArgumentException(
                "an operation is U with 2 more fields, D with 1 or Q with 5, a tab between any two;"
                        + " see --help");
    }

    /**
     * @param head all fields but the elements, with the tab after them
     */
    private static SearchOperation query(long line, String head, int[] elements) {
        String[] fields = head.split("\t", -1);
        if (!fields[4].equals("0") && !fields[4].equals("1")) {
            throw new IllegalArgumentException(
                    "the fifth field of a query is 1 for documents with nothing in common, too, else"
                            + " 0; write one of them");
        }
        return SetFormat.query(
                new SearchOperation(
                        line,
                        0,
                        fields[1],
                        k(fields[2]),
                        minScore(fields[3]),
                        fields[4].equals("1"),
                        elements));
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static long id(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the id of a document is a whole number of 64 bits, with its sign; correct it");
        }
    }

    private static int k(String text) {
        int k = 0;
        try {
            k = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            // Said below, as of a number that is none of these.
        }
        if (k < 1) {
            throw new IllegalArgumentException(
                    "k, the third field of a query, is a whole number from 1 to 2147483647;"
                            + " correct it");
        }
        return k;
    }

    private static double minScore(String text) {
        double minScore = Double.NaN;
        try {
            minScore = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            // Said below, as of what is no number by its name.
        }
        if (Double.isNaN(minScore)) {
            throw new IllegalArgumentException(
                    "minScore, the fourth field of a query, is a number; use 0 for all");
        }
        return minScore;
    }
}
