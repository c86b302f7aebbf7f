package io.flinkgpu.sql.planner;

import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Rows of texts s, t, u and c, an INT i, a BIGINT l, a DOUBLE d and a BOOLEAN b, with edges of each. Texts are of
 * characters, some of them unpaired surrogates: of bytes that are no characters, what Flink's functions give
 * depends on what was computed of them before.
 */
final class RandomRowData {

    static final String SCHEMA =
            "s STRING, t STRING, u VARCHAR(200), c STRING NOT NULL, i INT, l BIGINT, d DOUBLE, b BOOLEAN,"
                    + " m DECIMAL(9, 2)";

    private static final List<String> PIECES =
            List.of(
                    "",
                    "a",
                    "ab",
                    "aa",
                    " ",
                    "  ",
                    ",",
                    ", ",
                    "public",
                    "Public",
                    "é",
                    "€",
                    "😀",
                    "ß",
                    "İ",
                    "1234",
                    "x@example.com",
                    "\n",
                    "\t",
                    "%",
                    "X X");

    private static final double[] DOUBLES = {
        0, -0.0, 0.5, Double.NaN, Double.POSITIVE_INFINITY, -1
    };

    private final Random random;
    private final RowDataSerializer serializer;
    private final boolean changelog;

    /**
     * @param changelog whether some rows are deletions
     */
    RandomRowData(Random random, RowType type, boolean changelog) {
        this.changelog = changelog;
        this.random = random;
        this.serializer = new RowDataSerializer(type);
    }

    /** A row, as objects or as bytes. */
    RowData next() {
        GenericRowData row =
                GenericRowData.ofKind(
                        changelog && random.nextInt(4) == 0 ? RowKind.DELETE : RowKind.INSERT,
                        orNull(text()),
                        orNull(text()),
                        orNull(text()),
                        text(),
                        orNull(random.nextInt(8)),
                        orNull((long) random.nextInt(8)),
                        orNull(DOUBLES[random.nextInt(DOUBLES.length)]),
                        orNull(random.nextBoolean()),
                        orNull(DecimalData.fromUnscaledLong(random.nextInt(2_000) - 1_000, 9, 2)));
        return random.nextBoolean() ? row : serializer.toBinaryRow(row, true);
    }

    private Object orNull(Object value) {
        return random.nextInt(6) == 0 ? null : value;
    }

    private StringData text() {
        StringBuilder text = new StringBuilder();
        int pieces = random.nextInt(5);
        boolean ascii = random.nextBoolean();
        for (int i = 0; i < pieces; i++) {
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            text.append(ascii && piece.chars().anyMatch(c -> c > 0x7f) ? "ab" : piece);
        }
        if (random.nextInt(30) == 0) {
            text.append('\ud83d');
        }
        if (random.nextBoolean()) {
            return StringData.fromString(text.toString());
        }
        return StringData.fromBytes(text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
